import type { AutoRow } from '../types'

/** A row of the ledger with what is about it, oldest first: what came of it, that it was taken back. */
export interface Entry { row: AutoRow; after: AutoRow[] }

/**
 * Puts rows, newest first, under those that they are about. Numbers of rows count
 * within a run of Turnwatch, so the nearest older one of the same session is meant.
 * A row whose own is not there stands alone.
 */
export function fold(rows: AutoRow[]): Entry[] {
  const out: Entry[] = []
  const under = new Set<Entry>()
  const open = new Map<string, Entry[]>() // by session and the row that is looked for
  const place = (session: string, row: number): string => `${session}/${row}`
  for (const row of rows) {
    const entry: Entry = { row, after: [] }
    const mine = open.get(place(row.session, row.row))
    if (mine) {
      open.delete(place(row.session, row.row))
      for (const e of mine) {
        entry.after.unshift(e.row, ...e.after)
        under.add(e)
      }
    }
    out.push(entry)
    if (row.of > 0) {
      const key = place(row.session, row.of)
      open.set(key, [...(open.get(key) ?? []), entry])
    }
  }
  return out.filter((e) => !under.has(e))
}
