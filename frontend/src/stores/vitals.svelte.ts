// What can be seen of the open session beside its transcript. It is asked for
// only while somebody looks, at most once a second, and never twice at once.

import { asCallError, tasks, type CallError } from '../bridge'
import type { Vitals as Values } from '../types'
import { app } from './app.svelte'

const often = 1000 // ms between two questions while a turn runs
const seldom = 5000 // and while none does, or the answer was an error

export class Vitals {
  value = $state.raw<Values | null>(null)
  error = $state.raw<CallError | null>(null)
  /** When the value came, by the clock of the page. */
  got = 0
  #session = ''
  #eyes = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = -Infinity
  #asking = false

  /** Looks at a session until the function it gives is called. */
  watch(session: string): () => void {
    if (session !== this.#session) {
      this.#session = session
      this.value = this.error = null
      this.#asked = -Infinity
    }
    if (++this.#eyes === 1) document.addEventListener('visibilitychange', this.#soon)
    this.#soon()
    let looking = true
    return () => {
      if (!looking) return
      looking = false
      if (--this.#eyes > 0) return
      document.removeEventListener('visibilitychange', this.#soon)
      clearTimeout(this.#timer)
    }
  }

  readonly #soon = (): void => {
    if (!this.#asking) this.#wait(often)
  }

  #wait(pace: number): void {
    clearTimeout(this.#timer)
    if (this.#eyes === 0 || document.hidden) return
    this.#timer = setTimeout(() => void this.#ask(), Math.max(0, this.#asked + pace - Date.now()))
  }

  async #ask(): Promise<void> {
    const session = this.#session
    this.#asking = true
    this.#asked = Date.now()
    try {
      const value = await tasks.vitals(session)
      if (session === this.#session) {
        this.got = Date.now()
        this.value = value
        this.error = null
      }
    } catch (reason) {
      if (session === this.#session) this.error = asCallError(reason)
    } finally {
      this.#asking = false
    }
    const other = session !== this.#session
    this.#wait(!this.error && (other || app.open.session?.row.state === 'running') ? often : seldom)
  }
}

export const vitals = new Vitals()

class Details {
  #open = $state<Record<string, boolean>>({})

  /** Whether the line under the notice of a task is unfolded; as long as the page lives. */
  of(task: string): boolean {
    return this.#open[task] ?? false
  }

  set(task: string, open: boolean): void {
    this.#open[task] = open
  }
}

export const details = new Details()
