// Brings the batches to the stores: at most one write a frame, in order, each
// batch once. A batch that is missing means that the page knows too little: then
// everything is asked for anew.

import type { Batch } from '../types'

export interface Frames { ask(run: () => void): void }

/** Frames of the screen; where the page is hidden there are none, so a timer. */
export const screenFrames: Frames = {
  ask(run) {
    if (document.hidden) setTimeout(run, 250)
    else requestAnimationFrame(run)
  },
}

export class Pump {
  #queue: Batch[] = []
  #last = -1 // of the last batch that is in the stores; -1 while they are being filled
  #asked = false
  readonly #apply: (batches: Batch[]) => void
  readonly #lost: () => void
  readonly #frames: Frames

  constructor(apply: (batches: Batch[]) => void, lost: () => void, frames: Frames = screenFrames) {
    this.#apply = apply
    this.#lost = lost
    this.#frames = frames
  }

  /** Takes a batch; it is applied with the next frame. */
  hear(batch: Batch): void {
    this.#queue.push(batch)
    this.#ask()
  }

  /** From here on batches wait, until start says what is known. */
  hold(): void {
    this.#last = -1
  }

  /** The stores hold everything up to batch n. */
  start(n: number): void {
    this.#last = n
    this.#ask()
  }

  #ask(): void {
    if (this.#asked || this.#last < 0 || this.#queue.length === 0) return
    this.#asked = true
    this.#frames.ask(() => {
      this.#asked = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#last < 0) return
    const queue = this.#queue
    this.#queue = []
    const next: Batch[] = []
    for (const batch of queue) {
      if (batch.n <= this.#last) continue
      if (batch.n !== this.#last + 1) {
        // Those behind the gap are part of what is asked for now.
        this.hold()
        break
      }
      this.#last = batch.n
      next.push(batch)
    }
    if (next.length > 0) this.#apply(next)
    if (this.#last < 0) this.#lost()
  }
}
