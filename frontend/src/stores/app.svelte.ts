// What the page knows, in one place: the list, the open task, the screen. It asks
// for everything at the start and after a loss, and applies the batches between.

import { asCallError, onBatch, reachable, settings, tasks, CallError } from '../bridge'
import type { Batch, Phrase } from '../types'
import { Open } from './open.svelte'
import * as place from './place'
import { Pump, screenFrames, type Frames } from './pump'
import { Rows } from './rows.svelte'
import { attempt } from './toasts.svelte'

export type Screen = 'tasks' | 'history' | 'settings'

export class App {
  readonly rows = new Rows()
  readonly open = new Open()
  screen = $state<Screen>('tasks')
  /** The form for a new task is in the place of the task. */
  starting = $state(false)
  /** The list of failed sessions is in the place of the task. */
  failing = $state(false)
  archived = $state(false)
  /** There is something in the archive, as far as anybody has asked. */
  kept = $state(false)
  loaded = $state(false)
  /** The user has stopped all automation. */
  stopped = $state(false)
  error = $state.raw<CallError | null>(null)
  health = $state.raw<Phrase | null>(null)
  readonly #pump: Pump
  #off: () => void = () => undefined
  #loading: Promise<void> | null = null

  constructor(frames: Frames = screenFrames) {
    this.#pump = new Pump((batches) => this.#apply(batches), () => void this.load(), frames)
  }

  /** Hears batches and asks for everything. */
  async start(): Promise<void> {
    this.#off()
    this.#off = onBatch((batch) => this.#pump.hear(batch))
    await Promise.all([this.load(), place.load()])
    if (await this.showAsked()) return
    const last = place.lastTask()
    if (last && this.rows.get(last) && !this.open.task) await this.openTask(last)
  }

  stop(): void {
    this.#off()
  }

  /** Asks for everything anew. Two at once are one. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = null))
    return this.#loading
  }

  async #load(): Promise<void> {
    this.#pump.hold()
    if (!reachable()) {
      this.error = new CallError('ui.error.unreachable')
      return
    }
    try {
      const list = await tasks.list(this.archived)
      // Who has put everything away is not at the first start.
      if (!this.archived && (list.rows?.length ?? 0) === 0) this.kept = ((await tasks.list(true)).rows?.length ?? 0) > 0
      this.rows.reset(list)
      this.health = this.rows.trouble
      this.stopped = list.stopped
      await this.open.again()
      this.error = null
      this.loaded = true
      this.#pump.start(list.batch)
      if (!list.looked) void this.#agents()
    } catch (reason) {
      this.error = asCallError(reason)
    }
  }

  // The first look for agents takes a while; the list does not wait for it.
  async #agents(): Promise<void> {
    try {
      this.rows.agents = await settings.agents(false)
      this.rows.looked = true
    } catch {
      // The form goes on saying that it looks; the next load asks again.
    }
  }

  #apply(batches: Batch[]): void {
    let whole = true
    for (const batch of batches) {
      this.rows.apply(batch.rows ?? [], batch.gone ?? [], this.archived)
      whole = this.open.apply(batch) && whole
      if (batch.stopped !== undefined) this.stopped = batch.stopped
      if (batch.health) this.health = batch.health.key ? batch.health : null
    }
    if (!whole) void this.open.again()
  }

  async openTask(task: string, session = ''): Promise<void> {
    this.screen = 'tasks'
    this.starting = this.failing = false
    place.rememberTask(task)
    if (task !== this.open.task || (session && session !== this.open.id)) await this.open.open(task, session)
  }

  /** Opens the task that somebody outside the page wants to see; one that is not there is said, and what is open stays. */
  async showAsked(): Promise<boolean> {
    const task = await tasks.asked().catch(() => '')
    if (!task || (!this.rows.get(task) && !(await attempt(() => tasks.open(task))))) return false
    await this.openTask(task)
    return true
  }

  leaveTask(): void {
    place.rememberTask('')
    this.starting = this.failing = false
    this.open.leave()
  }

  /** From the form or the list of failed sessions to the task, from the task to the list. */
  back(): void {
    if (this.starting || this.failing) this.starting = this.failing = false
    else this.leaveTask()
  }

  newTask(): void {
    this.screen = 'tasks'
    this.starting = true
    this.failing = false
  }

  showFailed(): void {
    this.screen = 'tasks'
    this.failing = true
    this.starting = false
  }

  async showArchived(on: boolean): Promise<void> {
    this.archived = on
    await this.load()
  }

  /** Opens the task that is so many places from the open one. */
  step(by: 1 | -1): void {
    const list = this.rows.ordered
    if (list.length === 0) return
    const at = list.findIndex((r) => r.task === this.open.task)
    const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by))]
    if (next) void this.openTask(next.task)
  }
}

export const app = new App()
