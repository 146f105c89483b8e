import { spoken } from '../words/format'

/** What is left of a wait in whole seconds, rounded up; "" when it is over. */
export function countdown(ms: number, tag: string): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 0) return ''
  // Not "8.0 sec": a countdown has no tenths.
  if (seconds < 10) return new Intl.NumberFormat(tag, { style: 'unit', unit: 'second', unitDisplay: 'short' }).format(seconds)
  return spoken(seconds * 1000, tag)
}
