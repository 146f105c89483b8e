import { describe, expect, it } from 'vitest'
import { part } from '../testing/make'
import { afterBytes, byteLength } from './bytes'
import { Transcript } from './transcript.svelte'

const bytes = (s: string) => new TextEncoder().encode(s).length
const texts = ['', 'abc', 'ä', '漢字', '🙂', 'a🙂漢ä\n', '👩‍👩‍👧 family', '\u0000', 'x\ud800y']

describe('bytes', () => {
  it.each(texts)('counts %j as UTF-8 does', (s) => expect(byteLength(s)).toBe(bytes(s)))
  it.each(texts.filter((s) => !s.includes('\ud800')))('cuts %j at every character', (s) => {
    for (let i = 0; i <= s.length; i++) {
      const head = s.slice(0, i)
      if (/[\ud800-\udbff]$/.test(head)) continue
      expect(afterBytes(s, bytes(head))).toBe(s.slice(i))
    }
  })
})

function open(first = true, ...parts: ReturnType<typeof part>[]) {
  const t = new Transcript()
  t.reset({ parts, first })
  return t
}
const all = (t: Transcript) => t.items.map((i) => [i.seq, i.part.text])

describe('Transcript', () => {
  it('adds text by its place in bytes', () => {
    const t = open(true, part(1, { text: '漢' }))
    expect(t.apply([{ seq: 1, offset: 3, add: '字' }, { seq: 1, offset: 6, add: '🙂' }, { seq: 1, offset: 10, add: '!' }])).toBe(true)
    expect(all(t)).toEqual([[1, '漢字🙂!']])
  })

  it('changes nothing when operations come again', () => {
    const t = open(true, part(1, { text: 'ab' }))
    const ops = [{ seq: 1, offset: 2, add: 'cd' }, { set: part(2, { text: 'x' }) }, { seq: 2, offset: 1, add: 'y' }]
    expect(t.apply(ops)).toBe(true)
    expect(t.apply(ops.filter((o) => !o.set))).toBe(true)
    expect(all(t)).toEqual([[1, 'abcd'], [2, 'xy']])
  })

  it('takes only what is new of a text that overlaps', () => {
    const t = open(true, part(1, { text: 'abé' }))
    expect(t.apply([{ seq: 1, offset: 1, add: 'bécd' }])).toBe(true)
    expect(all(t)).toEqual([[1, 'abécd']])
  })

  it('says that an operation was lost, and keeps the rest', () => {
    const t = open(true, part(1, { text: 'ab' }))
    expect(t.apply([{ seq: 1, offset: 5, add: 'x' }, { set: part(2, { text: 'y' }) }])).toBe(false)
    expect(all(t)).toEqual([[1, 'ab'], [2, 'y']])
  })

  it('does not ask for the same part for ever when the count is off', () => {
    const t = open(true, part(1, { text: 'ab' }))
    expect(t.apply([{ seq: 1, offset: 5, add: 'x' }])).toBe(false)
    t.reset({ parts: [part(1, { text: 'ab' })], first: true })
    expect(t.apply([{ seq: 1, offset: 5, add: 'x' }])).toBe(true)
    expect(t.apply([{ seq: 1, offset: 6, add: 'y' }])).toBe(true)
    expect(all(t)).toEqual([[1, 'abxy']])
  })

  it('says that a part it should know is missing', () => {
    expect(open(true, part(1)).apply([{ seq: 9, offset: 0, add: 'x' }])).toBe(false)
  })

  it('leaves what stands before its pages to its page', () => {
    const t = open(false, part(50))
    expect(t.apply([{ set: part(3) }, { seq: 3, offset: 0, add: 'x' }])).toBe(true)
    expect(t.items).toHaveLength(1)
    t.prepend({ parts: [part(3, { text: 'x' }), part(4)], first: false })
    expect(t.items.map((i) => i.seq)).toEqual([3, 4, 50])
    expect(t.complete).toBe(false)
    t.prepend({ parts: [], first: true })
    expect(t.complete).toBe(true)
  })

  it('keeps the order of seq whatever order parts come in', () => {
    const t = open(true)
    t.apply([{ set: part(3) }, { set: part(1) }, { set: part(2) }])
    expect(t.items.map((i) => i.seq)).toEqual([1, 2, 3])
  })

  it('replaces a part whole and counts from there', () => {
    const t = open(true, part(1, { text: 'long text' }))
    t.apply([{ set: part(1, { text: 'ü' }) }, { seq: 1, offset: 2, add: '!' }])
    expect(all(t)).toEqual([[1, 'ü!']])
  })

  it('does not make the list anew when a text grows', () => {
    const t = open(true, part(1))
    const before = t.items
    t.apply([{ seq: 1, offset: 0, add: 'x' }])
    expect(t.items).toBe(before)
  })

  it('shows the whole of a stream however it is cut and repeated', () => {
    const source = 'ein Wörtchen 漢字 and 🙂 more, '.repeat(40)
    let seed = 7
    const next = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
    const t = open(true, part(1))
    const chars = [...source]
    const ops: { seq: number; offset: number; add: string }[] = []
    for (let i = 0; i < chars.length; ) {
      const n = 1 + next(9)
      ops.push({ seq: 1, offset: bytes(chars.slice(0, i).join('')), add: chars.slice(i, i + n).join('') })
      i += n
    }
    for (let i = 0; i < ops.length; i += 1 + next(4)) {
      const from = Math.max(0, i - next(5))
      expect(t.apply(ops.slice(from, i + 5))).toBe(true)
    }
    expect(t.items[0]?.part.text).toBe(source)
  })
})
