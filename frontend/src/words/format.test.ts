import { describe, expect, it } from 'vitest'
import { age, bytes, dated, money, running, spoken } from './format'

const at = (h: number, m: number, day = 14) => new Date(2026, 2, day, h, m).getTime()
const plain = (s: string) => s.replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')

describe('format', () => {
  it.each([
    [40, '40 ms'],
    [1234, '1.2 sec'],
    [59_400, '59 sec'],
    [372_000, '6 min 12 sec'],
    [7_500_000, '2 hr 5 min'],
    [7_200_000, '2 hr'],
    [100_000_000, '1 day 3 hr'],
    [-5, '0 ms'],
  ])('speaks %i ms as %s', (ms, told) => expect(plain(spoken(ms, 'en'))).toBe(told))

  it.each([
    [9000, '0:09'],
    [362_000, '6:02'],
    [3_840_000, '1:04:00'],
    [-1, '0:00'],
  ])('runs %i ms as %s', (ms, told) => expect(running(ms)).toBe(told))

  it('leaves the day out today', () => {
    expect(plain(dated(at(14, 3), 'de', at(20, 0)))).toBe('14:03')
    expect(plain(dated(at(14, 3, 12), 'de', at(20, 0)))).toContain('12.')
    expect(dated(0, 'de')).toBe('')
  })

  it.each([
    [30_000, ''],
    [120_000, '2m'],
    [7_200_000, '2h'],
    [200_000_000, '2d'],
  ])('has the age of %i ms as %j', (ms, told) => expect(plain(age(1e12 - ms, 'en', 1e12))).toBe(told))

  it('takes any currency', () => {
    expect(plain(money(1.5, 'EUR', 'en'))).toBe('€1.50')
    expect(money(1.5, 'credits?', 'en')).toBe('1.5 credits?')
  })

  it.each([
    [900, '900 bytes'],
    [140_000, '140 kB'],
    [5_030_000, '5 MB'],
  ])('measures %i bytes as %s', (n, told) => expect(plain(bytes(n, 'en'))).toBe(told))
})
