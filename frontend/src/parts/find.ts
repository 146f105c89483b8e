// Marks what was looked for on the page, without touching the page: ranges that
// the browser paints. Where it cannot, nothing is marked and finding still works.

type Highlights = { set(name: string, h: object): void; delete(name: string): void }

function highlights(): Highlights | null {
  return typeof CSS !== 'undefined' && 'highlights' in CSS && typeof Highlight !== 'undefined' ? (CSS.highlights as unknown as Highlights) : null
}

/** Marks each place of a text below a root; those in the row of seq stand out. */
export function mark(root: HTMLElement, text: string, seq: number): void {
  const all = highlights()
  if (!all) return
  clear()
  const wanted = text.toLowerCase()
  if (!wanted) return
  const ranges: Range[] = []
  const now: Range[] = []
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node && ranges.length + now.length < 2000; node = walk.nextNode()) {
    const source = (node.nodeValue ?? '').toLowerCase()
    // Some letters change their length in lower case; then places would be off.
    if (source.length !== node.nodeValue?.length) continue
    const mine = node.parentElement?.closest('[data-seq]')?.getAttribute('data-seq') === String(seq)
    for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      ;(mine ? now : ranges).push(range)
    }
  }
  all.set('found', new Highlight(...ranges))
  all.set('found-now', new Highlight(...now))
}

export function clear(): void {
  highlights()?.delete('found')
  highlights()?.delete('found-now')
}
