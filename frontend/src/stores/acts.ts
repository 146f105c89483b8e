// What the user can do to a task from more than one place.

import { copyText, settings, tasks } from '../bridge'
import type { Row } from '../types'
import { say } from '../words/words.svelte'
import { app } from './app.svelte'
import { drafts } from './drafts.svelte'
import { attempt, toasts } from './toasts.svelte'

export async function archive(row: Row): Promise<void> {
  const away = !row.away
  if (!(await attempt(() => tasks.archive(row.task, away)))) return
  if (away) app.kept = true
  if (app.open.task === row.task) app.leaveTask()
  toasts.show(say(away ? 'ui.task.archived' : 'ui.task.unarchived', { title: row.title }), {
    name: say('ui.undo'),
    run: () => void attempt(() => tasks.archive(row.task, !away)),
  })
}

export async function remove(row: Row): Promise<void> {
  if (!(await attempt(() => tasks.remove(row.task)))) return
  if (app.open.task === row.task) app.leaveTask()
  toasts.show(say('ui.task.deleted', { title: row.title }), {
    name: say('ui.undo'),
    run: () => void attempt(() => tasks.undelete(row.task)),
  })
}

/** Cancels the turn in hand, or stops what waits to be sent again. */
export async function cancelTurn(): Promise<void> {
  const { id, session } = app.open
  if (id && session && (session.row.state === 'running' || session.row.again || session.auto.soon)) await attempt(() => tasks.cancel(id))
}

/** A prompt that waits to be sent again is not sent. */
export async function stopRetry(session: string): Promise<void> {
  await attempt(() => tasks.cancel(session))
}

/** Nothing is done by itself any more, in no task. The state itself comes with the next batch. */
export async function stopAutomation(): Promise<void> {
  if (!(await attempt(() => settings.stopAuto(true)))) return
  toasts.show(say('ui.auto.stopped'), { name: say('ui.undo'), run: () => void attempt(() => settings.stopAuto(false)) })
}

export async function allowAutomation(): Promise<void> {
  if (!(await attempt(() => settings.stopAuto(false)))) return
  toasts.show(say('ui.auto.allowed'), { name: say('ui.undo'), run: () => void attempt(() => settings.stopAuto(true)) })
}

export async function restart(): Promise<void> {
  await attempt(() => tasks.restart(app.open.id))
}

/** A new session in the same task; the prompt that failed becomes the draft. */
export async function startFresh(): Promise<void> {
  const from = app.open.id
  await attempt(async () => {
    const [prompt] = await tasks.prompts(from)
    await app.open.fresh()
    const fresh = drafts.of(app.open.id)
    if (prompt && !fresh.text) fresh.text = prompt
  })
}

export async function copy(text: string): Promise<void> {
  if (await attempt(() => copyText(text))) toasts.show(say('ui.copied'))
}
