// The time as the page shows it. It ticks each second only while something runs
// and the page is seen, so that an idle window costs nothing.

class Clock {
  now = $state(Date.now())
  #timer: ReturnType<typeof setInterval> | undefined
  #pace = 0

  /** Ticks at a pace in ms until the next call. */
  pace(ms: number): void {
    if (ms === this.#pace) return
    this.#pace = ms
    clearInterval(this.#timer)
    this.now = Date.now()
    this.#timer = setInterval(() => {
      if (!document.hidden) this.now = Date.now()
    }, ms)
  }

  stop(): void {
    this.#pace = 0
    clearInterval(this.#timer)
  }
}

export const clock = new Clock()
