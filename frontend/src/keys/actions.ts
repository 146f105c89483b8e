// The one table of what can be done by key. The palette and the sheet of
// shortcuts are made from it.

import { tasks } from '../bridge'
import { dismiss } from '../cards/auto'
import { allowAutomation, archive, cancelTurn, remove, restart, startFresh, stopAutomation } from '../stores/acts'
import { app } from '../stores/app.svelte'
import { layers } from '../stores/layers.svelte'
import { prefs } from '../stores/prefs.svelte'
import { attempt } from '../stores/toasts.svelte'
import { view } from '../stores/view.svelte'

export interface Action {
  id: string
  chord: string // "" where only the palette has it
  name: string // key of its words
  /** Also while text is being typed. */
  always?: boolean
  /** Missing means always possible. */
  when?: () => boolean
  /** It is a matter of one place on the screen, which hears the key itself. */
  local?: boolean
  run: () => void
}

const opened = () => app.screen === 'tasks' && !app.starting && !app.failing && app.open.session !== null
const running = () => opened() && app.open.session?.row.state === 'running'
const announced = () => opened() && !!app.open.session?.auto.soon
const waits = () => opened() && (!!app.open.session?.row.again || announced())
const row = () => app.open.session?.row

function change(theme: string): void {
  void attempt(() => prefs.set({ theme }))
}

/** Takes back what auto-resume has announced in the open task. False where there is nothing. */
export function stopAnnounced(): boolean {
  if (!announced()) return false
  void dismiss(app.open.id)
  return true
}

/** Stops what would happen by itself in the open task. False where nothing would. */
export function stopWaiting(): boolean {
  if (stopAnnounced()) return true
  if (!waits()) return false
  void cancelTurn()
  return true
}

export const actions: Action[] = [
  { id: 'palette', chord: 'mod+k', name: 'ui.act.palette', always: true, run: () => (layers.sheet = 'palette') },
  { id: 'new', chord: 'n', name: 'ui.act.new', run: () => app.newTask() },
  { id: 'next', chord: 'j', name: 'ui.act.next', when: () => app.screen === 'tasks', run: () => app.step(1) },
  { id: 'previous', chord: 'k', name: 'ui.act.previous', when: () => app.screen === 'tasks', run: () => app.step(-1) },
  { id: 'write', chord: 'c', name: 'ui.act.write', when: opened, run: () => view.write() },
  { id: 'send', chord: 'mod+enter', name: 'ui.act.send', local: true, when: opened, run: () => view.write() },
  { id: 'answer', chord: '1', name: 'ui.act.answer', local: true, when: () => (app.open.session?.asks.length ?? 0) > 0, run: () => view.end() },
  { id: 'cancel', chord: 'mod+.', name: 'ui.act.cancel', always: true, when: () => running() || waits(), run: () => void cancelTurn() },
  { id: 'stop_auto', chord: 'mod+shift+.', name: 'ui.act.stop_auto', always: true, when: () => !app.stopped, run: () => void stopAutomation() },
  { id: 'allow_auto', chord: '', name: 'ui.act.allow_auto', when: () => app.stopped, run: () => void allowAutomation() },
  { id: 'ledger', chord: '', name: 'ui.act.ledger', when: opened, run: () => (layers.ledger = app.open.id) },
  { id: 'ledger_all', chord: '', name: 'ui.act.ledger_all', run: () => (layers.ledger = '') },
  { id: 'retry', chord: '', name: 'ui.card.retry_now', when: () => opened() && !!row()?.again, run: () => void attempt(() => tasks.retryNow(app.open.id)) },
  { id: 'find', chord: 'mod+f', name: 'ui.act.find', always: true, when: opened, run: () => view.find() },
  { id: 'end', chord: 'g', name: 'ui.act.end', when: opened, run: () => view.end() },
  { id: 'changes', chord: 'd', name: 'ui.act.changes', when: opened, run: () => view.changes() },
  { id: 'rename', chord: 'r', name: 'ui.act.rename', when: opened, run: () => view.rename() },
  { id: 'archive', chord: 'e', name: 'ui.act.archive', when: opened, run: () => row() && void archive(row()!) },
  { id: 'delete', chord: '', name: 'ui.act.delete', when: opened, run: () => row() && void remove(row()!) },
  { id: 'fresh', chord: '', name: 'ui.act.fresh', when: opened, run: () => void startFresh() },
  { id: 'restart', chord: '', name: 'ui.act.restart', when: opened, run: () => void restart() },
  { id: 'failed', chord: '', name: 'ui.failed.title', run: () => app.showFailed() },
  { id: 'tasks', chord: 'alt+t', name: 'ui.act.tasks', always: true, run: () => (app.screen = 'tasks') },
  { id: 'history', chord: 'alt+h', name: 'ui.act.history', always: true, run: () => (app.screen = 'history') },
  { id: 'settings', chord: 'mod+,', name: 'ui.act.settings', always: true, run: () => (app.screen = 'settings') },
  { id: 'light', chord: '', name: 'ui.act.light', run: () => change('light') },
  { id: 'dark', chord: '', name: 'ui.act.dark', run: () => change('dark') },
  { id: 'system', chord: '', name: 'ui.act.system', run: () => change('system') },
  { id: 'shortcuts', chord: '?', name: 'ui.act.shortcuts', run: () => (layers.sheet = 'shortcuts') },
  { id: 'close', chord: 'escape', name: 'ui.act.close', local: true, run: () => void (layers.closeTop() || stopWaiting()) },
]

export function possible(action: Action): boolean {
  return action.when?.() ?? true
}
