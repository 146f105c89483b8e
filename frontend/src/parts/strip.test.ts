import { describe, expect, it } from 'vitest'
import { draw, leastWidth } from './strip'

describe('a strip of activity', () => {
  it.each([
    ['nothing yet', [], true, { bars: [], quiet: null, events: 0 }],
    ['nothing at all', [0, 0], true, { bars: [], quiet: { from: 0, to: 2 }, events: 0 }],
    ['quiet at its end', [1, 0, 4, 0, 0], true, { bars: [{ at: 0, height: 0.5 }, { at: 2, height: 1 }], quiet: { from: 3, to: 5 }, events: 5 }],
    ['a pause that is no silence', [4, 0, 0], false, { bars: [{ at: 0, height: 1 }], quiet: null, events: 4 }],
    ['at work', [0, 9], true, { bars: [{ at: 1, height: 1 }], quiet: null, events: 9 }],
  ])('draws %s', (_name, counts, quiet, want) => {
    expect(draw({ step: 1000, counts }, quiet)).toEqual({ width: leastWidth, ...want })
  })

  it('shows one event beside a burst', () => {
    expect(draw({ step: 1000, counts: [1, 100_000] }, false).bars[0]!.height).toBeGreaterThanOrEqual(0.1)
  })

  it('is as wide as the turn is long', () => expect(draw({ step: 4000, counts: Array.from({ length: 180 }, () => 1) }, false).width).toBe(180))
})
