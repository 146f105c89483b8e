// What the X server shows, read from the file in which it keeps its screen (an
// XWD dump, see Xvfb -fbdir). The same look for every kind of window.

import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

// A part of the screen that lies inside a window of 1240x800, wherever a window
// manager has put it, title bar aside.
const area = { left: 200, right: 1200, top: 140, bottom: 760, every: 8 }
const colours = 6 // a blank window has one; the edges of letters have many

export class Screen {
  #file
  #head
  #line
  #rows = []

  constructor(folder) {
    this.#file = openSync(join(folder, 'Xvfb_screen0'), 'r')
    const head = Buffer.alloc(100)
    readSync(this.#file, head, 0, 100, 0)
    this.#line = head.readUInt32BE(48)
    this.#head = head.readUInt32BE(0) + head.readUInt32BE(76) * 12
    for (let y = area.top; y < area.bottom; y += area.every) this.#rows.push(new Uint32Array(area.right - area.left))
  }

  /** Looks at the area: whether there is something in it, and a number that changes with it. */
  look() {
    const seen = new Set()
    let sum = 0
    this.#rows.forEach((row, i) => {
      readSync(this.#file, row, 0, row.byteLength, this.#head + (area.top + i * area.every) * this.#line + area.left * 4)
      for (const each of row) {
        const pixel = each & 0xffffff // the rest is nothing that is seen
        if (seen.size < colours) seen.add(pixel)
        sum = (Math.imul(sum, 31) + pixel) | 0
      }
    })
    return { painted: seen.size >= colours, sum }
  }

  /** Waits until something is shown; gives the milliseconds since began. */
  async painted(began, patience = 60_000) {
    for (;;) {
      if (this.look().painted) return performance.now() - began
      if (performance.now() - began > patience) throw new Error('nothing was shown')
      await new Promise((next) => setTimeout(next, 4))
    }
  }

  /** Waits until nothing of a window is left. */
  async blank(patience = 60_000) {
    const until = performance.now() + patience
    while (this.look().painted) {
      if (performance.now() > until) throw new Error('the window did not go')
      await new Promise((next) => setTimeout(next, 20))
    }
  }

  close() {
    closeSync(this.#file)
  }
}
