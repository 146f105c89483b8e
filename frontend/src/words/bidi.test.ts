import { expect, it } from 'vitest'
import { phrase, words } from './words.svelte'
import { visible } from './bidi'

it.each([
  ['plain', 'plain'],
  ['evil\u202Etxt.exe', 'evil⇄txt.exe'],
  ['\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069', '⇄⇄⇄⇄⇄⇄⇄⇄⇄'],
  ['مرحبا \u200F', 'مرحبا \u200F'],
])('shows what turns the direction of %j', (text, want) => expect(visible(text)).toBe(want))

it('shows it in the arguments of a phrase', () => {
  words.use({ 'x.tool': 'Tool {{.tool}}' }, 'en')
  expect(phrase({ key: 'x.tool', args: { tool: 'a\u202Eb' } })).toBe('Tool a⇄b')
})
