// What can be done now beyond the table of actions: it depends on what the agent
// offers, what waits and what stands on a card. The palette lists it. Names that
// are an agent's stand behind ours, so that none can pass for one.

import { tick } from 'svelte'
import { settings, tasks } from '../bridge'
import { choices, nameOf } from '../cards/auto'
import { cardActs } from '../cards/acts'
import { sections } from '../screens/settings/sections'
import { stopRetry } from '../stores/acts'
import { app } from '../stores/app.svelte'
import { prefs } from '../stores/prefs.svelte'
import { attempt } from '../stores/toasts.svelte'
import { view } from '../stores/view.svelte'
import type { Session } from '../types'
import { visible } from '../words/bidi'
import { dated, ownName } from '../words/format'
import { phrase, say, words } from '../words/words.svelte'

export interface Offer { id: string; name: string; detail: string; run: () => void }

const longest = 80 // characters of a name that is not ours
const short = (text: string): string => visible([...text.replace(/\s+/g, ' ').trim()].slice(0, longest).join(''))

/** What the open task offers. */
export function ofTask(): Offer[] {
  const s = app.open.session
  if (app.screen !== 'tasks' || app.starting || app.failing || !s) return []
  return [...asked(s), ...carded(s), ...queued(s), ...optioned(s), ...automation(s), ...sessions(s)]
}

function asked(s: Session): Offer[] {
  const ask = s.asks[0]
  if (!ask) return []
  const detail = phrase(ask.heading)
  const decide = (option: string) => () => void attempt(() => tasks.decide(app.open.id, ask.id, option))
  return [
    ...ask.options.map((o) => ({ id: `decide:${o.id}`, name: say('ui.act.decide', { name: short(o.name) }), detail, run: decide(o.id) })),
    { id: 'decide:', name: say('ui.ask.dismiss'), detail, run: decide('') },
  ]
}

function carded(s: Session): Offer[] {
  if (s.row.state === 'running') return []
  return s.cards.flatMap((card) => [
    ...cardActs(card, app.open.id).map((a) => ({ id: `card:${card.id}:${a.id}`, name: say(`ui.card.${a.id}`), detail: phrase(card.heading), run: () => void a.run() })),
    ...(card.again ? [{ id: `card:${card.id}:stop`, name: say('ui.act.stop_retry'), detail: phrase(card.heading), run: () => void stopRetry(app.open.id) }] : []),
    ...(card.link_host
      ? [{ id: `card:${card.id}:link`, name: say('ui.card.link', { host: card.link_host }), detail: phrase(card.heading), run: () => void attempt(() => tasks.openRemediation(card.id)) }]
      : []),
  ])
}

function queued(s: Session): Offer[] {
  return s.queue.flatMap((q) => [
    { id: `edit:${q.id}`, name: say('ui.act.requeue', { text: short(q.text) }), detail: '', run: () => view.edit(q.id) },
    { id: `unqueue:${q.id}`, name: say('ui.act.unqueue', { text: short(q.text) }), detail: '', run: () => void attempt(() => tasks.removeQueued(app.open.id, q.id)) },
  ])
}

function optioned(s: Session): Offer[] {
  return s.options.flatMap((o) =>
    o.choices
      .filter((c) => c.value !== o.current)
      .map((c) => ({
        id: `option:${o.id}:${c.value}`,
        name: say('ui.act.set', { name: kinds.has(o.category) ? say(`ui.option.${o.category}`) : short(o.name), value: short(c.name || c.value) }),
        detail: '',
        run: () => void attempt(() => tasks.choose(app.open.id, o.id, c.value)),
      })),
  )
}
const kinds = new Set(['model', 'mode', 'thought_level'])

function automation(s: Session): Offer[] {
  const said = s.auto.said
  const send = said?.kind ? [{ id: `auto_send:${said.kind}`, name: say('ui.auto.would_send'), detail: phrase(said.what), run: () => void attempt(() => tasks.sendAuto(app.open.id, said.kind)) }] : []
  const pick = ['' as const, ...choices]
    .filter((c) => c !== s.auto.choice)
    .map((c) => ({
      id: `auto:${c}`,
      name: say('ui.auto.now', { choice: c === '' ? say('ui.auto.choice.follow') : nameOf(c) }),
      detail: say('ui.auto.this_task'),
      run: () => void attempt(() => tasks.chooseAuto(app.open.id, c)),
    }))
  return [...send, ...pick]
}

function sessions(s: Session): Offer[] {
  return app.open.sessions
    .filter((x) => x.session !== s.row.session)
    .map((x) => ({ id: `session:${x.session}`, name: say('ui.act.session', { at: dated(x.started, words.tag) }), detail: short(x.title), run: () => void app.openTask(s.row.task, x.session) }))
}

/** The sections of the settings, to go to. */
export function ofSettings(): Offer[] {
  const go = async (id: string): Promise<void> => {
    app.screen = 'settings'
    await tick()
    view.section(id)
  }
  return sections.map((s) => ({ id: `section:${s.id}`, name: say('ui.act.set', { name: say('ui.settings.title'), value: say(s.name) }), detail: '', run: () => void go(s.id) }))
}

/** The languages, each by its own name. */
export async function ofLanguages(): Promise<Offer[]> {
  const { languages } = await settings.about()
  return ['', ...languages]
    .filter((tag) => tag !== prefs.values.language)
    .map((tag) => ({
      id: `language:${tag}`,
      name: say('ui.act.set', { name: say('ui.settings.language'), value: tag === '' ? say('ui.settings.system') : ownName(tag) }),
      detail: '',
      run: () => void attempt(() => prefs.set({ language: tag })),
    }))
}
