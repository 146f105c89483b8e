// The one table of what can be done by key. The palette and the sheet of
// shortcuts are made from it.

import { tick } from 'svelte'
import { settings, tasks } from '../bridge'
import { dismiss } from '../cards/auto'
import { allowAutomation, archive, cancelTurn, copy, remove, restart, startFresh, stopAutomation } from '../stores/acts'
import { app } from '../stores/app.svelte'
import { layers } from '../stores/layers.svelte'
import { panel } from '../stores/panel.svelte'
import { prefs } from '../stores/prefs.svelte'
import { attempt, toasts } from '../stores/toasts.svelte'
import { details } from '../stores/vitals.svelte'
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
const said = () => opened() && app.open.transcript.items.length > 0
const undoable = () => toasts.list.findLast((t) => t.act)

function change(theme: string): void {
  void attempt(() => prefs.set({ theme }))
}

async function search(): Promise<void> {
  app.screen = 'history'
  await tick()
  view.search()
}

async function look(): Promise<void> {
  await attempt(async () => (app.rows.agents = await settings.agents(true)))
}

async function copyOf(what: 'data' | 'file'): Promise<void> {
  await attempt(async () => {
    const path = what === 'data' ? (await settings.about()).data_dir : ((await settings.get()).file ?? '')
    await copy(path)
  })
}

function undo(): void {
  const toast = undoable()
  if (!toast) return
  toasts.close(toast.id)
  toast.act?.run()
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
  { id: 'filter', chord: '/', name: 'ui.act.filter', when: () => view.able('filter'), run: () => view.filter() },
  { id: 'pick', chord: '', name: 'ui.start.choose', when: () => view.able('pick'), run: () => view.pick() },
  { id: 'start', chord: '', name: 'ui.start.go', when: () => view.able('start'), run: () => view.start() },
  { id: 'back', chord: '', name: 'ui.act.back', when: () => app.screen === 'tasks' && (app.starting || app.failing || app.open.task !== ''), run: () => app.back() },
  { id: 'archived', chord: '', name: 'ui.tasks.show_archived', when: () => !app.archived, run: () => void app.showArchived(true) },
  { id: 'unarchived', chord: '', name: 'ui.tasks.show_open', when: () => app.archived, run: () => void app.showArchived(false) },
  { id: 'next', chord: 'j', name: 'ui.act.next', when: () => app.screen === 'tasks', run: () => app.step(1) },
  { id: 'previous', chord: 'k', name: 'ui.act.previous', when: () => app.screen === 'tasks', run: () => app.step(-1) },
  { id: 'write', chord: 'c', name: 'ui.act.write', when: opened, run: () => view.write() },
  { id: 'send', chord: 'mod+enter', name: 'ui.act.send', local: true, when: opened, run: () => view.write() },
  { id: 'attach', chord: '', name: 'ui.attach.add', when: () => opened() && view.able('attach'), run: () => view.attach() },
  { id: 'model', chord: '', name: 'ui.act.model', when: () => opened() && view.able('model'), run: () => view.model() },
  { id: 'connect', chord: '', name: 'ui.act.connect', when: () => opened() && app.open.session!.options.length === 0 && row()?.phase === 'idle' && !running(), run: () => void attempt(() => tasks.connect(app.open.id)) },
  { id: 'release', chord: '', name: 'ui.act.release', when: () => opened() && app.open.session!.held && app.open.session!.queue.length > 0, run: () => void attempt(() => tasks.release(app.open.id)) },
  { id: 'answer', chord: '1', name: 'ui.act.answer', local: true, when: () => (app.open.session?.asks.length ?? 0) > 0, run: () => view.end() },
  { id: 'cancel', chord: 'mod+.', name: 'ui.act.cancel', always: true, when: () => running() || waits(), run: () => void cancelTurn() },
  { id: 'stop_auto', chord: 'mod+shift+.', name: 'ui.act.stop_auto', always: true, when: () => !app.stopped, run: () => void stopAutomation() },
  { id: 'allow_auto', chord: '', name: 'ui.act.allow_auto', when: () => app.stopped, run: () => void allowAutomation() },
  { id: 'ledger', chord: '', name: 'ui.act.ledger', when: opened, run: () => (layers.ledger = app.open.id) },
  { id: 'ledger_all', chord: '', name: 'ui.act.ledger_all', run: () => (layers.ledger = '') },
  { id: 'retry', chord: '', name: 'ui.card.retry_now', when: () => opened() && !!row()?.again, run: () => void attempt(() => tasks.retryNow(app.open.id)) },
  { id: 'find', chord: 'mod+f', name: 'ui.act.find', always: true, when: opened, run: () => view.find() },
  { id: 'end', chord: 'g', name: 'ui.act.end', when: opened, run: () => view.end() },
  { id: 'earlier', chord: '', name: 'ui.transcript.earlier', when: () => said() && !app.open.transcript.complete, run: () => void attempt(() => app.open.more()) },
  { id: 'evidence', chord: 'i', name: 'ui.evidence.title', when: opened, run: () => view.evidence() },
  { id: 'beside', chord: '', name: 'ui.evidence.pin', when: () => opened() && panel.fits && !panel.beside, run: () => panel.pin(true) },
  { id: 'details', chord: '', name: 'ui.act.details', when: () => running() && !!app.open.session?.notice, run: () => details.set(app.open.task, !details.of(app.open.task)) },
  { id: 'copy_turn', chord: '', name: 'ui.turn.copy', when: said, run: () => view.copy('') },
  { id: 'copy_prompt', chord: '', name: 'ui.turn.copy_prompt', when: said, run: () => view.copy('prompt') },
  { id: 'copy_answer', chord: '', name: 'ui.turn.copy_answer', when: said, run: () => view.copy('text') },
  { id: 'changes', chord: 'd', name: 'ui.act.changes', when: opened, run: () => view.changes() },
  { id: 'rename', chord: 'r', name: 'ui.act.rename', when: opened, run: () => view.rename() },
  { id: 'open_folder', chord: '', name: 'ui.act.open_folder', when: opened, run: () => void attempt(() => tasks.openFolder(app.open.id)) },
  { id: 'copy_folder', chord: '', name: 'ui.act.copy_folder', when: opened, run: () => row() && void copy(row()!.dir) },
  { id: 'copy_link', chord: '', name: 'ui.act.copy_link', when: opened, run: () => row() && void copy(`turnwatch://task/${row()!.task}`) },
  { id: 'archive', chord: 'e', name: 'ui.act.archive', when: opened, run: () => row() && void archive(row()!) },
  { id: 'delete', chord: '', name: 'ui.act.delete', when: opened, run: () => row() && void remove(row()!) },
  { id: 'fresh', chord: '', name: 'ui.act.fresh', when: opened, run: () => void startFresh() },
  { id: 'restart', chord: '', name: 'ui.act.restart', when: opened, run: () => void restart() },
  { id: 'failed', chord: '', name: 'ui.failed.title', run: () => app.showFailed() },
  { id: 'tasks', chord: 'alt+t', name: 'ui.act.tasks', always: true, run: () => (app.screen = 'tasks') },
  { id: 'history', chord: 'alt+h', name: 'ui.act.history', always: true, run: () => (app.screen = 'history') },
  { id: 'search', chord: '', name: 'ui.history.search', run: () => void search() },
  { id: 'settings', chord: 'mod+,', name: 'ui.act.settings', always: true, run: () => (app.screen = 'settings') },
  { id: 'light', chord: '', name: 'ui.act.light', run: () => change('light') },
  { id: 'dark', chord: '', name: 'ui.act.dark', run: () => change('dark') },
  { id: 'system', chord: '', name: 'ui.act.system', run: () => change('system') },
  { id: 'reload', chord: '', name: 'ui.again', when: () => app.error !== null, run: () => void app.load() },
  { id: 'agents', chord: '', name: 'ui.act.agents', run: () => void look() },
  { id: 'open_data', chord: '', name: 'ui.act.open_data', run: () => void attempt(settings.openFolder) },
  { id: 'copy_data', chord: '', name: 'ui.act.copy_data', run: () => void copyOf('data') },
  { id: 'copy_settings', chord: '', name: 'ui.act.copy_settings', run: () => void copyOf('file') },
  { id: 'read_settings', chord: '', name: 'ui.act.read_settings', run: () => void prefs.read() },
  { id: 'undo', chord: 'mod+z', name: 'ui.undo', when: () => undoable() !== undefined, run: undo },
  { id: 'check', chord: '', name: 'ui.act.check', run: () => (layers.sheet = 'check') },
  { id: 'about', chord: '', name: 'ui.act.about', run: () => (layers.sheet = 'about') },
  { id: 'quit', chord: 'mod+q', name: 'ui.act.quit', always: true, run: () => void attempt(settings.quit) },
  { id: 'shortcuts', chord: '?', name: 'ui.act.shortcuts', run: () => (layers.sheet = 'shortcuts') },
  { id: 'close', chord: 'escape', name: 'ui.act.close', local: true, run: () => void (layers.closeTop() || stopWaiting()) },
]

/** The name of an action as it stands now: some undo what they did. */
export function nameOf(action: Action): string {
  if (action.id === 'archive' && row()?.away) return 'ui.act.unarchive'
  return action.name
}

export function possible(action: Action): boolean {
  return action.when?.() ?? true
}
