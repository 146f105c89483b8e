// The list of tasks, in the order of need.

import type { Agent, List, Phrase, Row } from '../types'

export const groups = ['needs_you', 'running', 'waiting', 'done'] as const
export type Group = (typeof groups)[number]

/** Where a task stands in the list. A failed one needs its user, and so does one that asks. */
export function groupOf(row: Row): Group {
  return row.state === 'failed' || row.phase === 'asks' ? 'needs_you' : row.state
}

// Rows that change all the time must not change places: a running task stands by
// the start of its turn, any other by its last change.
function byNeed(a: Row, b: Row): number {
  const at = (r: Row) => (r.state === 'running' ? r.started : r.updated)
  return at(b) - at(a) || (a.task < b.task ? 1 : -1)
}

export class Rows {
  #byTask = $state.raw(new Map<string, Row>())
  agents = $state.raw<Agent[]>([])
  looked = $state(false)
  trouble = $state.raw<Phrase | null>(null)
  filter = $state('')

  readonly all = $derived([...this.#byTask.values()])
  readonly grouped = $derived(this.#group())
  /** In the order they are seen. */
  readonly ordered = $derived(groups.flatMap((g) => this.grouped[g]))
  readonly running = $derived(this.all.some((r) => r.state === 'running' || r.phase === 'opening' || r.again))
  readonly needing = $derived(this.all.filter((r) => groupOf(r) === 'needs_you').length)

  reset(list: List): void {
    this.#byTask = new Map(list.rows.map((r) => [r.task, r]))
    this.agents = list.agents
    this.looked = list.looked
    this.trouble = list.trouble?.key ? list.trouble : null
  }

  apply(rows: Row[], gone: string[], archived: boolean): void {
    if (rows.length === 0 && gone.length === 0) return
    const next = new Map(this.#byTask)
    for (const task of gone) next.delete(task)
    for (const row of rows) {
      if (row.away === archived) next.set(row.task, row)
      else next.delete(row.task)
    }
    this.#byTask = next
  }

  get(task: string): Row | undefined {
    return this.#byTask.get(task)
  }

  #group(): Record<Group, Row[]> {
    const out: Record<Group, Row[]> = { needs_you: [], running: [], waiting: [], done: [] }
    const wanted = this.filter.trim().toLocaleLowerCase()
    for (const row of this.all) {
      if (wanted && !`${row.title}\n${row.name}\n${row.dir}`.toLocaleLowerCase().includes(wanted)) continue
      out[groupOf(row)].push(row)
    }
    for (const g of groups) out[g].sort(byNeed)
    return out
  }
}
