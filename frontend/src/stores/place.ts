// Where the reader was, and what they had begun to write. It is kept with the
// page, is of use to nobody else, and its loss is no harm: every access may fail.

const prefix = 'turnwatch.'
const kept = 200 // places; the oldest go first

/** A place in a transcript: the part at the top and how far it is scrolled. */
export interface Anchor { seq: number; offset: number; at: number }

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(prefix + key)
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // Full or forbidden: then it is not remembered.
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(prefix + key)
  } catch {
    // As above.
  }
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

export const draft = (session: string): string => read('draft.' + session, '')

export function rememberDraft(session: string, text: string): void {
  if (text) write('draft.' + session, text.slice(0, 100_000))
  else forget('draft.' + session)
}

function newest<T extends { at: number }>(all: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).sort((a, b) => b[1].at - a[1].at).slice(0, kept))
}
