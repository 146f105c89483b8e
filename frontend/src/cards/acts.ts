// What a card offers, by the names that Go gives: the card and the palette both
// take it from here.

import { history, tasks } from '../bridge'
import { restart, startFresh } from '../stores/acts'
import { attempt } from '../stores/toasts.svelte'
import { view } from '../stores/view.svelte'
import type { Card } from '../types'

type Act = () => Promise<unknown> | void

/** The actions of a card that are known, in its order, with what each does. */
export function cardActs(card: Card, session: string): { id: string; run: Act }[] {
  const known: Record<string, Act> = {
    resume: () => attempt(() => resume(session)),
    start_fresh: startFresh,
    send_again: () => attempt(() => again(card, session)),
    log_in: () => attempt(() => tasks.logIn(session)),
    switch_model: () => view.model(),
    restart,
    dismiss: () => attempt(() => tasks.dismiss(card.id)),
  }
  return card.actions.flatMap((id) => (known[id] ? [{ id, run: known[id] }] : []))
}

/** Those that need the task of the card on the screen. */
export const there = new Set(['resume', 'start_fresh', 'send_again', 'switch_model', 'restart'])

// The agent is brought up again, then what waits is sent.
async function resume(session: string): Promise<void> {
  await tasks.connect(session)
  await tasks.release(session)
}

// The failed prompt is sent again only because the user asked for it.
async function again(card: Card, session: string): Promise<void> {
  const page = card.turn > 0 ? await history.turn(session, card.turn) : null
  const prompt = page?.parts.find((p) => p.kind === 'prompt')
  if (!prompt?.text) return view.write()
  await tasks.send(session, { text: prompt.text, files: [], blobs: [] })
}
