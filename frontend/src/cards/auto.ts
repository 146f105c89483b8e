import { tasks } from '../bridge'
import { attempt } from '../stores/toasts.svelte'
import type { AutoChoice } from '../types'
import { say } from '../words/words.svelte'

/** What may be chosen, the mildest first. */
export const choices = ['off', 'notify', 'safe', 'full'] as const

/** A choice in words; none is off. */
export const nameOf = (choice: AutoChoice): string => say(`ui.auto.choice.${choice || 'off'}`)

const rarely = 1000 // ms between two words about the same session

/** Says that the user writes into a session, at most once a second. Whether that was heard changes nothing here. */
export class Typing {
  #said = new Map<string, number>()

  tell(session: string): void {
    const now = performance.now()
    if (now - (this.#said.get(session) ?? -Infinity) < rarely) return
    this.#said.set(session, now)
    void tasks.typing(session).catch(() => undefined)
  }
}

/** Takes back what auto-resume has announced; the turn is left alone. */
export async function dismiss(session: string): Promise<void> {
  await attempt(() => tasks.dismissAuto(session))
}
