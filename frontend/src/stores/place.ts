// Where the reader was, and what they had begun to write. It is kept with the
// data, is of use to nobody else, and its loss is no harm: every access may fail.

import { settings } from '../bridge'

const kept = 200 // places and drafts; the oldest go first
const most = 3_000_000 // characters of all that is kept
const soon = 400 // ms that a change waits for the next

/** A place in a transcript: the part at the top and how far it is scrolled. */
export interface Anchor { seq: number; offset: number; at: number }

let all: Record<string, unknown> = {}
let loading: Promise<void> | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Reads what is kept, once; what was remembered meanwhile goes before it. */
export function load(): Promise<void> {
  loading ??= settings
    .page()
    .then((text) => {
      const was: unknown = text ? JSON.parse(text) : null
      if (typeof was === 'object' && was !== null && !Array.isArray(was)) all = { ...was, ...all }
    })
    .catch(() => undefined)
  return loading
}

/** Forgets everything that is in the page: for tests. */
export function reset(): void {
  all = {}
  loading = null
  clearTimeout(timer)
  timer = undefined
}

/** Writes now what has changed. */
export function flush(): void {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  const text = JSON.stringify(all)
  if (text.length <= most) void settings.keepPage(text).catch(() => undefined)
}

if (typeof addEventListener === 'function') {
  addEventListener('pagehide', flush)
  addEventListener('visibilitychange', () => document.hidden && flush())
}

function read<T>(key: string, otherwise: T): T {
  const value = all[key]
  return typeof value === typeof otherwise && value !== null ? (value as T) : otherwise
}

function write(key: string, value: unknown): void {
  all[key] = value
  clearTimeout(timer)
  // Not before it was read: else what is kept would be lost.
  timer = setTimeout(() => void load().then(flush), soon)
}

export const lastTask = (): string => read('task', '')
export const rememberTask = (task: string): void => write('task', task)

export const panelBeside = (): boolean => read('panel', false)
export const rememberPanel = (on: boolean): void => write('panel', on)

/** The place in a session, or null for its end. */
export function anchor(session: string): Anchor | null {
  return read<Record<string, Anchor>>('anchors', {})[session] ?? null
}

export function rememberAnchor(session: string, seq: number, offset: number): void {
  const all = read<Record<string, Anchor>>('anchors', {})
  all[session] = { seq, offset, at: Date.now() }
  write('anchors', newest(all))
}

export function forgetAnchor(session: string): void {
  const all = read<Record<string, Anchor>>('anchors', {})
  if (!(session in all)) return
  delete all[session]
  write('anchors', all)
}

interface Draft { text: string; at: number }

export const draft = (session: string): string => read<Record<string, Draft>>('drafts', {})[session]?.text ?? ''

export function rememberDraft(session: string, text: string): void {
  const drafts = { ...read<Record<string, Draft>>('drafts', {}) }
  if (text) drafts[session] = { text: text.slice(0, 100_000), at: Date.now() }
  else if (session in drafts) delete drafts[session]
  else return
  write('drafts', newest(drafts))
}

function newest<T extends { at: number }>(all: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).sort((a, b) => b[1].at - a[1].at).slice(0, kept))
}
