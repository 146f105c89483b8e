import { describe, expect, it } from 'vitest'
import { Heights } from './heights'

// The same by plain sums.
function plain(own: number[]) {
  const sum = (i: number) => own.slice(0, i).reduce((a, b) => a + b, 0)
  return { sum, at: (y: number) => Math.max(0, own.findIndex((_, i) => sum(i + 1) > y) + (sum(own.length) <= y ? own.length : 0)) }
}

describe('Heights', () => {
  it('knows sums and places as plain sums do, whatever changes', () => {
    let seed = 3
    const next = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
    const own = Array.from({ length: 37 }, () => 1 + next(90))
    const h = new Heights()
    h.reset(own)
    for (let step = 0; step < 200; step++) {
      if (step % 3 === 0) {
        own.push(1 + next(90))
        h.push(own.at(-1)!)
      } else {
        const i = next(own.length)
        own[i] = 1 + next(200)
        h.set(i, own[i]!)
      }
      const p = plain(own)
      const i = next(own.length + 1)
      const y = next(p.sum(own.length) + 20)
      expect(h.sum(i)).toBe(p.sum(i))
      expect(h.total).toBe(p.sum(own.length))
      expect(h.at(y)).toBe(Math.min(p.at(y), own.length - 1))
    }
  })

  it('lives with nothing', () => {
    const h = new Heights()
    expect([h.total, h.at(100), h.get(3)]).toEqual([0, 0, 0])
    h.set(4, 10)
    h.push(5)
    expect([h.total, h.length, h.at(-10)]).toEqual([5, 1, 0])
  })
})
