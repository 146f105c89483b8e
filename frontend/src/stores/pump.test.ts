import { describe, expect, it } from 'vitest'
import type { Batch } from '../types'
import { Pump } from './pump'

function rig() {
  const frames: (() => void)[] = []
  const applied: number[][] = []
  let lost = 0
  const pump = new Pump(
    (batches) => applied.push(batches.map((b) => b.n)),
    () => lost++,
    { ask: (run) => frames.push(run) },
  )
  const frame = () => frames.splice(0).forEach((run) => run())
  const hear = (...ns: number[]) => ns.forEach((n) => pump.hear({ n } as Batch))
  return { pump, hear, frame, applied, frames, lost: () => lost }
}

describe('Pump', () => {
  it('applies all that came between two frames in one write', () => {
    const r = rig()
    r.pump.start(0)
    r.hear(1, 2, 3)
    expect(r.frames).toHaveLength(1)
    expect(r.applied).toEqual([])
    r.frame()
    expect(r.applied).toEqual([[1, 2, 3]])
  })

  it('keeps what comes before the start and drops what the start knew', () => {
    const r = rig()
    r.hear(4, 5, 6)
    r.frame()
    expect(r.applied).toEqual([])
    r.pump.start(5)
    r.frame()
    expect(r.applied).toEqual([[6]])
  })

  it('applies a batch that comes twice once', () => {
    const r = rig()
    r.pump.start(0)
    r.hear(1, 1, 2)
    r.frame()
    expect(r.applied).toEqual([[1, 2]])
    expect(r.lost()).toBe(0)
  })

  it('asks for everything anew after a gap, once, and goes on from there', () => {
    const r = rig()
    r.pump.start(0)
    r.hear(1, 3, 4)
    r.frame()
    expect(r.applied).toEqual([[1]])
    expect(r.lost()).toBe(1)
    r.hear(5)
    r.frame()
    expect(r.lost()).toBe(1)
    r.pump.start(4)
    r.frame()
    expect(r.applied).toEqual([[1], [5]])
  })

  it('waits while the stores are being filled', () => {
    const r = rig()
    r.pump.start(0)
    r.hear(1)
    r.pump.hold()
    r.frame()
    expect(r.applied).toEqual([])
    r.pump.start(1)
    r.frame()
    expect(r.applied).toEqual([])
  })
})
