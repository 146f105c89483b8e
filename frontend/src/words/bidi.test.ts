import { describe, expect, it } from 'vitest'
import { phrase, words } from './words.svelte'
import { apart, visible } from './bidi'

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

describe('arguments in a language from right to left', () => {
  it.each([
    ['a path', '/home/me/x', '\u2068/home/me/x\u2069'],
    ['a name', 'OpenCode', '\u2068OpenCode\u2069'],
    ['a number', '1,024.5', '1,024.5'],
    ['a clock', '6:02', '6:02'],
    ['nothing', '', ''],
  ])('%s', (_name, text, told) => expect(apart(text)).toBe(told))
})

it('keeps arguments apart in Arabic, and nowhere else', () => {
  words.use({ 'x.a': 'افتح {{.dir}} الآن' }, 'ar')
  expect(words.say('x.a', { dir: '/a' })).toBe('افتح \u2068/a\u2069 الآن')
  words.use({ 'x.a': 'Open {{.dir}}' }, 'en')
  expect(words.say('x.a', { dir: '/a' })).toBe('Open /a')
})
