// The drawing of a strip of activity: bars by place and height, and where the
// quiet stretch lies.

import type { Strip } from '../types'

/** The least stretches that the width stands for, so that a turn's first bars are thin. */
export const leastWidth = 60

export interface Bar { at: number; height: number } // the height as a part of 1

export interface Drawing {
  width: number // in stretches
  bars: Bar[]
  quiet: { from: number; to: number } | null
  events: number
}

/** Heights go by the root, so that a burst does not hide what is single. */
export function draw(strip: Strip, quiet: boolean): Drawing {
  const { counts } = strip
  const most = Math.max(1, ...counts)
  const bars = counts.flatMap((n, at): Bar[] => (n > 0 ? [{ at, height: Math.max(0.12, Math.sqrt(n / most)) }] : []))
  const from = (bars.at(-1)?.at ?? -1) + 1
  return {
    width: Math.max(leastWidth, counts.length),
    bars,
    quiet: quiet && counts.length > from ? { from, to: counts.length } : null,
    events: counts.reduce((sum, n) => sum + n, 0),
  }
}
