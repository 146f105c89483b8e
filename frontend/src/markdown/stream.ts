// A text that grows, as blocks. Appending to Markdown changes the last block
// only, and, while its last line is not complete, at most the one before it; so
// everything before the last two blocks is final and is never rendered again.

import { pieces, type Piece } from './render'

/** A block for the page. Ids are stable while the block only grows. */
export interface Shown { id: number; html: string; code: Piece['code'] }

export class Stream {
  #text = ''
  #settled: Shown[] = []
  #from = 0 // where in the text the blocks that may still change begin

  /** The blocks of a text. It is quick where the text goes on from the last one. */
  render(text: string): Shown[] {
    if (!text.startsWith(this.#text)) {
      this.#settled = []
      this.#from = 0
    }
    this.#text = text
    const rest = text.slice(this.#from)
    const open = pieces(rest)
    const first = this.#settled.length
    const shown = open.map((p, i): Shown => ({ id: first + i, html: p.html, code: p.code }))
    const all = this.#settled.concat(shown)
    const keep = open.length - 2
    const next = open[keep]
    if (keep > 0 && next) {
      this.#settled = all.slice(0, first + keep)
      this.#from += lineStart(rest, next.from)
    }
    return all
  }
}

// The place of a line, by markdown-it's count: it normalises \r\n and \r first.
function lineStart(text: string, line: number): number {
  const ends = /\r\n|\n|\r/g
  for (let n = 0; n < line; n++) if (!ends.exec(text)) return text.length
  return ends.lastIndex
}
