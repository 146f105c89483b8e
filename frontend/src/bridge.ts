// The one file that touches what the window gives the page: the bound calls
// (window.go) and the event stream (window.runtime). Wails and the loopback
// bridge of the browser tests give the same two objects. Every other file asks
// here, so that nothing else can be reached by accident.
//
// A rejected call becomes a CallError with a key and arguments; its text is never
// shown as it came, except folded away, because it may hold anything.

import { fill } from './fill'
import type * as t from './types'

/** What went wrong, in words of the page: say it with words.say(key, args). */
export class CallError extends Error {
  readonly key: string
  readonly args: Record<string, string>
  /** The raw text of an error that has no key; "" otherwise. */
  readonly raw: string

  constructor(key: string, args: Record<string, string> = {}, raw = '') {
    super(key)
    this.key = key
    this.args = args
    this.raw = raw
  }
}

type Call = (...args: unknown[]) => Promise<unknown>
type Bound = Record<string, Record<string, Call>>
interface Runtime {
  ClipboardSetText(text: string): Promise<boolean>
  EventsOn(name: string, hear: (...data: unknown[]) => void): () => void
}
declare global {
  interface Window {
    go?: { window?: Bound }
    runtime?: Partial<Runtime>
  }
}

/** Whether there is anything behind the page at all. */
export function reachable(): boolean {
  return window.go?.window !== undefined && window.runtime?.EventsOn !== undefined
}

async function call<T>(part: string, name: string, ...args: unknown[]): Promise<T> {
  const bound = window.go?.window?.[part]?.[name]
  if (!bound) throw new CallError('ui.error.unreachable')
  let answer: unknown
  try {
    answer = await bound(...args)
  } catch (reason) {
    throw asCallError(reason)
  }
  return fill(answer) as T
}

/** Wails rejects with a string, or with an Error that has it as its message. */
export function asCallError(reason: unknown): CallError {
  if (reason instanceof CallError) return reason
  const text = reason instanceof Error ? reason.message : String(reason)
  try {
    const parsed: unknown = JSON.parse(text)
    if (isPhrase(parsed)) return new CallError(parsed.key === 'error.unknown' ? 'ui.error.unknown' : parsed.key, parsed.args)
  } catch {
    // Not of our making: kept as raw text below.
  }
  return new CallError('ui.error.unknown', {}, text.slice(0, 4096))
}

function isPhrase(value: unknown): value is t.Phrase {
  return typeof value === 'object' && value !== null && 'key' in value && typeof value.key === 'string'
}

export const tasks = {
  list: (archived: boolean) => call<t.List>('Tasks', 'List', archived),
  open: (task: string, session = '') => call<t.Opened>('Tasks', 'Open', task, session),
  leave: () => call<void>('Tasks', 'Leave'),
  earlier: (session: string, before: number) => call<t.Page>('Tasks', 'Earlier', session, before),
  part: (session: string, seq: number) => call<t.Part>('Tasks', 'Part', session, seq),
  create: (task: t.NewTask) => call<t.Row>('Tasks', 'New', task),
  folder: (dir: string) => call<t.Folder>('Tasks', 'Folder', dir),
  trust: (dir: string) => call<void>('Tasks', 'Trust', dir),
  pickFolder: (start: string) => call<string>('Tasks', 'PickFolder', start),
  send: (session: string, draft: t.Draft) => call<void>('Tasks', 'Send', session, draft),
  editQueued: (session: string, id: string, text: string) => call<void>('Tasks', 'EditQueued', session, id, text),
  removeQueued: (session: string, id: string) => call<void>('Tasks', 'RemoveQueued', session, id),
  release: (session: string) => call<void>('Tasks', 'Release', session),
  cancel: (session: string) => call<void>('Tasks', 'Cancel', session),
  retryNow: (session: string) => call<void>('Tasks', 'RetryNow', session),
  chooseAuto: (session: string, choice: t.AutoChoice) => call<void>('Tasks', 'ChooseAuto', session, choice),
  typing: (session: string) => call<void>('Tasks', 'Typing', session),
  dismissAuto: (session: string) => call<void>('Tasks', 'DismissAuto', session),
  sendAuto: (session: string, kind: string) => call<void>('Tasks', 'SendAuto', session, kind),
  ledger: (session: string, before: number) => call<t.AutoRow[] | null>('Tasks', 'Ledger', session, before).then(list),
  decide: (session: string, ask: string, option: string) => call<void>('Tasks', 'Decide', session, ask, option),
  choose: (session: string, id: string, value: string) => call<void>('Tasks', 'Choose', session, id, value),
  connect: (session: string) => call<void>('Tasks', 'Connect', session),
  restart: (session: string) => call<void>('Tasks', 'Restart', session),
  startFresh: (session: string) => call<t.Opened>('Tasks', 'StartFresh', session),
  failures: () => call<t.Failures>('Tasks', 'Failures'),
  dismiss: (card: number) => call<void>('Tasks', 'Dismiss', card),
  openRemediation: (card: number) => call<void>('Tasks', 'OpenRemediation', card),
  logIn: (session: string) => call<void>('Tasks', 'LogIn', session),
  rename: (task: string, title: string) => call<void>('Tasks', 'Rename', task, title),
  archive: (task: string, away: boolean) => call<void>('Tasks', 'Archive', task, away),
  remove: (task: string) => call<void>('Tasks', 'Delete', task),
  undelete: (task: string) => call<void>('Tasks', 'Undelete', task),
  find: (session: string, text: string) => call<t.Found[] | null>('Tasks', 'Find', session, text).then(list),
  files: (session: string, query: string) => call<string[] | null>('Tasks', 'Files', session, query).then(list),
  changes: (session: string, turn: number) => call<t.Changes>('Tasks', 'Changes', session, turn),
  vitals: (session: string) => call<t.Vitals>('Tasks', 'Vitals', session),
  attend: (focused: boolean, task: string) => call<void>('Tasks', 'Attend', focused, task),
  asked: () => call<string>('Tasks', 'Asked'),
  openFolder: (session: string) => call<void>('Tasks', 'OpenFolder', session),
  prompts: (session: string) => call<string[] | null>('Tasks', 'Prompts', session).then(list),
}

export const history = {
  turns: (before: number, agent: string, outcome: string, text: string) =>
    call<t.Past[] | null>('History', 'Turns', before, agent, outcome, text).then(list),
  turn: (session: string, turn: number) => call<t.Page>('History', 'Turn', session, turn),
  search: (text: string) => call<t.Found[] | null>('History', 'Search', text).then(list),
}

export const settings = {
  get: () => call<t.Prefs>('Settings', 'Get'),
  set: (prefs: t.Prefs) => call<t.Prefs>('Settings', 'Set', prefs),
  agents: (look: boolean) => call<t.Agent[] | null>('Settings', 'Agents', look).then(list),
  words: (language: string) => call<t.Vocabulary>('Settings', 'Words', language),
  read: () => call<t.Prefs>('Settings', 'Read'),
  openFolder: () => call<void>('Settings', 'OpenFolder'),
  quit: () => call<void>('Settings', 'Quit'),
  about: () => call<t.About>('Settings', 'About'),
  page: () => call<string>('Settings', 'Page'),
  keepPage: (text: string) => call<void>('Settings', 'KeepPage', text),
  desktop: () => call<t.Desktop>('Settings', 'Desktop'),
  setDesktop: (desktop: t.Desktop) => call<t.Desktop>('Settings', 'SetDesktop', desktop),
  auto: () => call<t.AutoPrefs>('Settings', 'Auto'),
  stopAuto: (stop: boolean) => call<t.AutoPrefs>('Settings', 'StopAuto', stop),
  chooseAuto: (dir: string, choice: t.AutoChoice) => call<t.AutoPrefs>('Settings', 'ChooseAuto', dir, choice),
  setAuto: (name: string, value: string) => call<t.AutoPrefs>('Settings', 'SetAuto', name, value),
  importAuto: (text: string) => call<t.AutoPrefs>('Settings', 'ImportAuto', text),
  check: () => call<t.Check[] | null>('Settings', 'Check').then(list),
  works: () => call<t.Work[] | null>('Settings', 'Works').then(list),
  licence: (name: string, version: string) => call<string>('Settings', 'Licence', name, version),
}

function list<T>(value: T[] | null): T[] {
  return value ?? []
}

/** Puts a text on the clipboard: by the window where there is one, else by the browser. */
export async function copyText(text: string): Promise<void> {
  try {
    if (window.runtime?.ClipboardSetText && (await window.runtime.ClipboardSetText(text))) return
    await navigator.clipboard.writeText(text)
  } catch {
    throw new CallError('ui.error.clipboard')
  }
}

/**
 * Hears every batch, in order, until the function it gives is called. Batches are
 * frozen values of this page: nobody else holds them.
 */
export function onBatch(hear: (batch: t.Batch) => void): () => void {
  const on = window.runtime?.EventsOn
  if (!on) return () => undefined
  const off = on('batch', (data) => hear(fill(data) as t.Batch))
  return typeof off === 'function' ? off : () => undefined
}

/** Hears that somebody outside the page wants a task to be shown: ask which by tasks.asked(). */
export function onShow(hear: () => void): () => void {
  const off = window.runtime?.EventsOn?.('show', () => hear())
  return typeof off === 'function' ? off : () => undefined
}
