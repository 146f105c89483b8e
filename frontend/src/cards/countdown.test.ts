import { describe, expect, it } from 'vitest'
import { countdown } from './countdown'

describe('what is left of a countdown', () => {
  it.each([
    ['nothing', 0, ''],
    ['less than nothing', -5000, ''],
    ['a moment is a second', 1, '1 sec'],
    ['whole seconds, rounded up', 4001, '5 sec'],
    ['no tenths', 9000, '9 sec'],
    ['minutes', 65_000, '1 min 5 sec'],
  ])('%s', (_, ms, text) => expect(countdown(ms, 'en')).toBe(text))
})
