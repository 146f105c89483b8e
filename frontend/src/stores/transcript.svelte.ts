// The transcript of the open session: parts by seq, oldest first. Each part is a
// signal of its own, so that a text that grows redraws one row; the list is
// replaced only when rows come or go.

import type { Op, Page, Part } from '../types'
import { afterBytes, byteLength } from './bytes'

/** One part and its length in UTF-8 bytes. */
export class Item {
  readonly seq: number
  part: Part = $state.raw() as Part
  bytes: number

  constructor(part: Part) {
    this.seq = part.seq
    this.part = part
    this.bytes = byteLength(part.text)
  }

  set(part: Part): void {
    this.part = part
    this.bytes = byteLength(part.text)
  }
}

export class Transcript {
  items = $state.raw<Item[]>([])
  /** Nothing stands before the first item. */
  complete = $state(false)
  #bySeq = new Map<number, Item>()
  #healed = new Set<number>() // parts whose offset was off even after a reload

  /** Takes a page as the whole transcript. */
  reset(page: Page): void {
    this.#bySeq = new Map(page.parts.map((p) => [p.seq, new Item(p)]))
    this.items = sorted(this.#bySeq)
    this.complete = page.first
  }

  clear(): void {
    this.reset({ parts: [], first: true })
    this.#healed.clear()
  }

  find(seq: number): Item | undefined {
    return this.#bySeq.get(seq)
  }

  /** Puts an earlier page before what is there. Parts that are there already stay. */
  prepend(page: Page): void {
    for (const p of page.parts) if (!this.#bySeq.has(p.seq)) this.#bySeq.set(p.seq, new Item(p))
    this.items = sorted(this.#bySeq)
    if (page.first || page.parts.length === 0) this.complete = true
  }

  /**
   * Applies operations in order. They may come twice, or overlap with a page that
   * holds them already. False says that one was lost: the transcript must be
   * asked for anew. Everything else was applied all the same.
   */
  apply(ops: Op[]): boolean {
    let whole = true
    let fresh = false
    for (const op of ops) {
      if (op.set) fresh = this.#set(op.set) || fresh
      else if (op.seq !== undefined && op.add) whole = this.#add(op.seq, op.offset ?? 0, op.add) && whole
    }
    if (fresh) this.items = sorted(this.#bySeq)
    return whole
  }

  #set(part: Part): boolean {
    const item = this.#bySeq.get(part.seq)
    if (item) {
      item.set(part)
      return false
    }
    // A change to a part that stands before the pages that are here comes with its page.
    if (!this.complete && this.items.length > 0 && part.seq < this.items[0]!.seq) return false
    this.#bySeq.set(part.seq, new Item(part))
    return true
  }

  #add(seq: number, offset: number, add: string): boolean {
    const item = this.#bySeq.get(seq)
    if (!item) return !this.complete && this.items.length > 0 && seq < this.items[0]!.seq
    const size = byteLength(add)
    if (offset + size <= item.bytes) return true
    if (offset > item.bytes && !this.#healed.has(seq)) {
      // Asked for anew once; if it is off again, the count is, and not the text.
      this.#healed.add(seq)
      return false
    }
    const more = offset < item.bytes ? afterBytes(add, item.bytes - offset) : add
    item.part = { ...item.part, text: item.part.text + more }
    item.bytes = offset + size
    return true
  }
}

function sorted(bySeq: Map<number, Item>): Item[] {
  const all = [...bySeq.values()]
  for (let i = 1; i < all.length; i++) {
    if (all[i - 1]!.seq > all[i]!.seq) return all.sort((a, b) => a.seq - b.seq)
  }
  return all
}
