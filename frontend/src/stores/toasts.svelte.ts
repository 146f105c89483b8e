// Short messages at the edge: an undo, or a call that failed. An error stays
// until it is closed; anything else goes after a while, unless the pointer or the
// keyboard is on it.

import { asCallError } from '../bridge'
import { say } from '../words/words.svelte'

export interface Toast {
  id: number
  text: string
  raw: string // folded away; "" where there is none
  bad: boolean
  act: { name: string; run: () => void } | null
}

class Toasts {
  list = $state.raw<Toast[]>([])
  #next = 1
  #timers = new Map<number, ReturnType<typeof setTimeout>>()

  show(text: string, act: Toast['act'] = null): void {
    const id = this.#push({ text, act, raw: '', bad: false })
    this.resume(id)
  }

  fail(reason: unknown): void {
    const error = asCallError(reason)
    const text = say(error.key, error.args)
    if (this.list.some((t) => t.bad && t.text === text)) return
    this.#push({ text, act: null, raw: error.raw, bad: true })
  }

  close(id: number): void {
    this.pause(id)
    this.list = this.list.filter((t) => t.id !== id)
  }

  pause(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  resume(id: number): void {
    if (this.list.find((t) => t.id === id)?.bad !== false) return
    this.pause(id)
    this.#timers.set(id, setTimeout(() => this.close(id), 8000))
  }

  #push(toast: Omit<Toast, 'id'>): number {
    const id = this.#next++
    this.list = [...this.list.slice(-3), { ...toast, id }]
    return id
  }
}

export const toasts = new Toasts()

/** Runs a call for the user and says it when it fails. False where it did. */
export async function attempt(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (reason) {
    toasts.fail(reason)
    return false
  }
}
