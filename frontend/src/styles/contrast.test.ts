// The colours of the tokens against what they stand on, by the formula of WCAG 2:
// text at least 4.5 to 1, what is no text but means something at least 3 to 1.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('src/styles/tokens.css', 'utf8')
const tokens = (block: string): Record<string, string> => Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,6});/g)].map((m) => [m[1]!, m[2]!]))
const dark = css.slice(css.indexOf("[data-theme='dark']"), css.indexOf('@media'))
const light = css.slice(0, css.indexOf("[data-theme='dark']"))
const themes = { light: tokens(light), dark: { ...tokens(light), ...tokens(dark) } }

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(full.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function ratio(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

const grounds = ['bg', 'surface', 'sunken', 'hover', 'accent-soft', 'need-soft', 'fail-soft', 'added', 'removed']
const text: [string, string[]][] = [
  ['text', [...grounds, 'mark', 'mark-now']],
  ['muted', ['bg', 'surface', 'sunken', 'need-soft', 'fail-soft', 'accent-soft']],
  ['faint', ['bg', 'surface', 'sunken']],
  ['accent', ['bg', 'surface', 'sunken']],
  ['fail', ['surface', 'bg']],
  ['on-accent', ['accent']],
]
const marks: [string, string[]][] = [
  ...['run', 'need', 'fail', 'done', 'accent'].map((c): [string, string[]] => [c, ['bg', 'surface', 'sunken', 'need-soft', 'fail-soft']]),
  ['line-strong', ['bg', 'surface']], // the edges of fields and switches
]
const rows = (list: [string, string[]][]) => list.flatMap(([on, under]) => under.map((u) => [on, u] as const))

describe.each(Object.entries(themes))('the %s theme', (_name, t) => {
  it.each(rows(text))('text: %s on %s', (on, under) => expect(ratio(t[on]!, t[under]!)).toBeGreaterThanOrEqual(4.5))
  it.each(rows(marks))('marks: %s on %s', (on, under) => expect(ratio(t[on]!, t[under]!)).toBeGreaterThanOrEqual(3))
})

it('knows black on white', () => expect(ratio('#000', '#ffffff')).toBeCloseTo(21))
