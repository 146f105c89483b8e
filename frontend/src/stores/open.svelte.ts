// The task that is open: its session and its transcript.

import { asCallError, tasks, type CallError } from '../bridge'
import type { Batch, Earlier, Opened, Session } from '../types'
import { Transcript } from './transcript.svelte'

export class Open {
  task = $state('')
  id = $state('') // of the session
  session = $state.raw<Session | null>(null)
  sessions = $state.raw<Earlier[]>([])
  readonly transcript = new Transcript()
  loading = $state(false)
  earlier = $state(false) // an earlier page is on its way
  error = $state.raw<CallError | null>(null)
  #since = 0 // the last batch that was in what Open gave
  #asked = 0 // counts calls, so that a late answer to an earlier one is dropped
  #meanwhile: Batch[] = [] // batches that came while an answer was on its way

  /** Opens a task; the newest session where none is named. */
  async open(task: string, session = ''): Promise<void> {
    const mine = ++this.#asked
    const other = task !== this.task
    this.task = task
    if (other) this.#empty()
    this.loading = true
    this.error = null
    this.#meanwhile = []
    try {
      const opened = await tasks.open(task, session)
      if (mine === this.#asked) this.#take(opened)
    } catch (reason) {
      if (mine !== this.#asked) return
      this.#empty()
      this.error = asCallError(reason)
    } finally {
      if (mine === this.#asked) this.loading = false
    }
  }

  /** Makes a new session in the task and shows it. It rejects where that failed. */
  async fresh(): Promise<void> {
    const mine = ++this.#asked
    this.loading = true
    this.#meanwhile = []
    try {
      const opened = await tasks.startFresh(this.id)
      if (mine === this.#asked) this.#take(opened)
    } finally {
      if (mine === this.#asked) this.loading = false
    }
  }

  // The answer holds everything up to its batch; those after it may have come
  // before the answer did.
  #take(opened: Opened): void {
    this.session = opened.session
    this.id = opened.session.row.session
    this.sessions = opened.sessions
    this.#since = opened.batch
    this.transcript.reset(opened.page)
    for (const batch of this.#meanwhile) this.#applyTo(batch)
    this.#meanwhile = []
  }

  /** Asks for the same again: something was lost on the way. */
  async again(): Promise<void> {
    if (this.task) await this.open(this.task, this.id)
  }

  leave(): void {
    this.#asked++
    this.task = ''
    this.loading = false
    this.error = null
    this.#empty()
    void tasks.leave().catch(() => undefined)
  }

  /** Fetches the page before the first part. True where parts came. */
  async more(): Promise<boolean> {
    const first = this.transcript.items[0]
    if (!first || this.transcript.complete || this.earlier) return false
    const id = this.id
    this.earlier = true
    try {
      const page = await tasks.earlier(id, first.seq)
      if (id !== this.id) return false
      this.transcript.prepend(page)
      return page.parts.length > 0
    } finally {
      this.earlier = false
    }
  }

  /** False says that an operation was lost. */
  apply(batch: Batch): boolean {
    if (this.loading) this.#meanwhile.push(batch)
    return this.#applyTo(batch)
  }

  #applyTo(batch: Batch): boolean {
    if (!this.id || batch.n <= this.#since) return true
    if (batch.session && batch.session.row.session === this.id) this.session = batch.session
    else {
      const row = batch.rows?.find((r) => r.session === this.id)
      if (row && this.session) this.session = { ...this.session, row }
    }
    return batch.of !== this.id || !batch.ops || this.transcript.apply(batch.ops)
  }

  #empty(): void {
    this.id = ''
    this.session = null
    this.sessions = []
    this.transcript.clear()
  }
}
