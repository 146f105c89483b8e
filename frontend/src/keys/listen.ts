// Hears the keys of the whole page and runs the action of the table.

import { layers } from '../stores/layers.svelte'
import { actions, possible, stopAnnounced, stopWaiting } from './actions'
import { chordOf, typing } from './chord'

export function listenToKeys(target: Document = document): () => void {
  const hear = (e: KeyboardEvent): void => {
    if (e.defaultPrevented || e.isComposing || e.repeat) return
    const chord = chordOf(e)
    if (chord === 'escape') {
      // What would be sent by itself is taken back whatever lies above the task.
      const stopped = stopAnnounced()
      if (layers.closeTop() || stopped || stopWaiting()) e.preventDefault()
      return
    }
    const action = actions.find((a) => a.chord === chord && !a.local)
    if (!action || !possible(action)) return
    if (!action.always && (typing(e.target) || layers.any)) return
    if (layers.sheet !== '' && action.id === layers.sheet) return
    e.preventDefault()
    action.run()
  }
  target.addEventListener('keydown', hear)
  return () => target.removeEventListener('keydown', hear)
}
