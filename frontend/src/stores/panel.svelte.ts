// Whether what is known of the turn stands beside the transcript: where there is
// room for it and the reader wished so.

import * as place from './place'

const wide = typeof matchMedia === 'function' ? matchMedia('(min-width: 1160px)') : null

class Panel {
  /** There is room beside the transcript. */
  fits = $state(wide?.matches ?? false)
  #pinned = $state(false)

  constructor() {
    wide?.addEventListener('change', () => (this.fits = wide.matches))
    void place.load().then(() => (this.#pinned = place.panelBeside()))
  }

  get beside(): boolean {
    return this.fits && this.#pinned
  }

  pin(on: boolean): void {
    this.#pinned = on
    place.rememberPanel(on)
  }
}

export const panel = new Panel()
