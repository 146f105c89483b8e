// Looks for a text in the open transcript: at once in what is loaded, and by the
// history in what is not.

import { tasks } from '../bridge'
import type { Part } from '../types'
import type { Transcript } from './transcript.svelte'

/** Everything in a part that a reader can see, as one text. */
export function textOf(part: Part): string {
  const t = part.tool
  const tool = t ? `${t.title}\n${t.output}\n${t.diffs.map((d) => d.path).join('\n')}` : ''
  return `${part.text}\n${tool}\n${part.plan.map((e) => e.content).join('\n')}`
}

export class Finder {
  text = $state('')
  /** Seqs of the parts that hold the text, in order. */
  hits = $state.raw<number[]>([])
  at = $state(-1)
  searching = $state(false)
  #asked = 0

  readonly now = $derived(this.hits[this.at] ?? -1)

  async look(session: string, transcript: Transcript): Promise<void> {
    const mine = ++this.#asked
    const wanted = this.text.toLowerCase()
    if (!wanted) return this.#take([])
    const here = transcript.items.filter((i) => textOf(i.part).toLowerCase().includes(wanted)).map((i) => i.seq)
    this.#take(here)
    if (transcript.complete || wanted.length < 2) return
    this.searching = true
    try {
      const found = await tasks.find(session, this.text)
      if (mine !== this.#asked) return
      const first = transcript.items[0]?.seq ?? 0
      const before = found.map((f) => f.seq).filter((seq) => seq < first)
      this.#take([...new Set([...before, ...here])].sort((a, b) => a - b))
    } finally {
      if (mine === this.#asked) this.searching = false
    }
  }

  step(by: 1 | -1): number {
    const n = this.hits.length
    if (n === 0) return -1
    this.at = (this.at + by + n) % n
    return this.now
  }

  // The newest hit is shown first: that is where the reader is.
  #take(hits: number[]): void {
    const now = this.now
    this.hits = hits
    const same = hits.indexOf(now)
    this.at = same >= 0 ? same : hits.length - 1
  }
}
