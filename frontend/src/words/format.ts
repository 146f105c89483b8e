// Dates, durations and numbers in the user's language. Formats are made once for
// a tag; making one costs more than a frame has.

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>()

function date(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = 'd' + tag + JSON.stringify(options)
  let f = formats.get(key)
  if (!f) formats.set(key, (f = new Intl.DateTimeFormat(tag, options)))
  return f as Intl.DateTimeFormat
}

function number(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = 'n' + tag + JSON.stringify(options)
  let f = formats.get(key)
  if (!f) formats.set(key, (f = new Intl.NumberFormat(tag, options)))
  return f as Intl.NumberFormat
}

/** 14:03; with the day where it is not today. */
export function dated(ms: number, tag: string, now = Date.now()): string {
  if (ms === 0) return ''
  const that = new Date(ms)
  const today = new Date(now)
  if (that.toDateString() === today.toDateString()) return date(tag, { hour: 'numeric', minute: '2-digit' }).format(that)
  const year = that.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return date(tag, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', ...year }).format(that)
}

/** The day, "" for today, and the time of a moment. */
export function parts(ms: number, tag: string, now = Date.now(), seconds = false): { day: string; time: string } {
  const that = new Date(ms)
  const today = new Date(now)
  const time = date(tag, { hour: 'numeric', minute: '2-digit', ...(seconds ? ({ second: '2-digit' } as const) : {}) }).format(that)
  if (that.toDateString() === today.toDateString()) return { day: '', time }
  const year = that.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return { day: date(tag, { day: 'numeric', month: 'short', ...year }).format(that), time }
}

/** Everything there is to say about a moment, for a tooltip. */
export function moment(ms: number, tag: string): string {
  return ms === 0 ? '' : date(tag, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(ms))
}

/** 14:03:08 */
export function clock(ms: number, tag: string): string {
  return ms === 0 ? '' : date(tag, { hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(new Date(ms))
}

type TimeUnit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond'

/** The two greatest units of a duration: 2 hr 5 min, 6 min 12 sec; narrow: 1.2s, 40ms. */
export function spoken(ms: number, tag: string, unitDisplay: 'short' | 'narrow' = 'short'): string {
  const unit = (value: number, name: TimeUnit, digits = 0) =>
    number(tag, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits }).format(value)
  if (ms < 1000) return unit(Math.max(0, Math.round(ms)), 'millisecond')
  if (ms < 10_000) return unit(ms / 1000, 'second', 1)
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return unit(seconds, 'second')
  const pairs: [number, TimeUnit, number, TimeUnit][] = [
    [86_400, 'day', 3600, 'hour'],
    [3600, 'hour', 60, 'minute'],
    [60, 'minute', 1, 'second'],
  ]
  const [great, greatName, small, smallName] = pairs.find(([size]) => seconds >= size)!
  const rest = Math.floor((seconds % great) / small)
  const first = unit(Math.floor(seconds / great), greatName)
  return rest === 0 ? first : `${first} ${unit(rest, smallName)}`
}

/** A running clock: 0:09, 6:02, 1:04:00. */
export function running(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const h = Math.floor(s / 3600)
  return h > 0 ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`
}

/** Short age in a list: now is told by a word of the caller's, so "" under a minute. */
export function age(ms: number, tag: string, now: number): string {
  const s = Math.floor((now - ms) / 1000)
  const unit = (value: number, name: 'minute' | 'hour' | 'day') =>
    number(tag, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value)
  if (s < 60) return ''
  if (s < 3600) return unit(Math.floor(s / 60), 'minute')
  if (s < 86_400) return unit(Math.floor(s / 3600), 'hour')
  if (s < 7 * 86_400) return unit(Math.floor(s / 86_400), 'day')
  return date(tag, { day: 'numeric', month: 'short' }).format(new Date(ms))
}

/** A whole number of a unit: 180 days. */
export function span(n: number, unit: 'day' | 'minute', tag: string): string {
  return number(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(n)
}

/** Mebibytes, as people say sizes: 512 MB, 2 GB. */
export function size(mib: number, tag: string): string {
  const [n, unit] = mib < 1024 ? [mib, 'megabyte'] : [mib / 1024, 'gigabyte']
  return number(tag, { style: 'unit', unit, maximumFractionDigits: 1 }).format(n)
}

export function count(n: number, tag: string): string {
  return number(tag, {}).format(n)
}

/** 12.4k: tokens and the like. */
export function compact(n: number, tag: string): string {
  return number(tag, { notation: 'compact', maximumFractionDigits: 1 }).format(n)
}

export function percent(part: number, tag: string): string {
  return number(tag, { style: 'percent' }).format(part)
}

export function money(amount: number, currency: string, tag: string): string {
  try {
    return number(tag, { style: 'currency', currency }).format(amount)
  } catch {
    return `${number(tag, { maximumFractionDigits: 2 }).format(amount)} ${currency}`
  }
}

/** 5.0 MB, by thousands. */
export function bytes(n: number, tag: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
  let i = 0
  while (n >= 1000 && i < units.length - 1) {
    n /= 1000
    i++
  }
  return number(tag, { style: 'unit', unit: units[i] ?? 'byte', unitDisplay: i === 0 ? 'long' : 'short', maximumFractionDigits: i > 1 ? 1 : 0 }).format(n)
}

/** A language in its own words; the generated one has none. */
export function ownName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
