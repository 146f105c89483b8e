// Tells a reader who scrolls from a page that moves by itself: a view that follows
// the end may be moved by the browser when what is in it changes its size.

const fresh = 700 // ms that a wheel, a key or a finger counts for
const calm = 600 // ms without a change of size after which only a reader moves the view

export class Reader {
  #at = -Infinity
  #held = false

  /** Watches what is done to a scroller; the function it gives ends that. */
  watch(scroller: HTMLElement): () => void {
    const act = (): void => {
      this.#at = performance.now()
    }
    const press = (): void => {
      this.#held = true
    }
    const release = (): void => {
      if (this.#held) act()
      this.#held = false
    }
    const passive = { passive: true }
    for (const name of ['wheel', 'touchmove', 'keydown']) scroller.addEventListener(name, act, passive)
    scroller.addEventListener('pointerdown', press, passive)
    for (const name of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(name, release, passive)
    return () => {
      for (const name of ['wheel', 'touchmove', 'keydown']) scroller.removeEventListener(name, act)
      scroller.removeEventListener('pointerdown', press)
      for (const name of ['pointerup', 'pointercancel', 'blur']) window.removeEventListener(name, release)
    }
  }

  /** Whether a move of the view was the reader's, given when a size changed last. */
  meant(changedAt: number): boolean {
    const now = performance.now()
    return this.#held || now - this.#at < fresh || now - changedAt > calm
  }
}
