import { beforeEach, expect, it, vi } from 'vitest'
import { FakeCore } from '../testing/fakecore'
import * as place from './place'

let core: FakeCore
beforeEach(() => {
  vi.useFakeTimers()
  core = new FakeCore().install()
  place.reset()
  return () => vi.useRealTimers()
})
const kept = () => JSON.parse(core.kept || 'null') as unknown
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('keeps what was changed, once for many changes', async () => {
  await place.load()
  for (const text of ['a', 'ab', 'abc']) place.rememberDraft('s1', text)
  place.rememberTask('t1')
  expect(kept()).toBeNull()
  await pass(1000)
  expect(core.asked('Settings.KeepPage')).toHaveLength(1)
  place.reset()
  await place.load()
  expect([place.draft('s1'), place.draft('s2'), place.lastTask()]).toEqual(['abc', '', 't1'])
})

it('loses nothing that is kept where something is remembered before it was read', async () => {
  core.kept = JSON.stringify({ panel: true, task: 't1' })
  place.rememberTask('t2')
  await pass(1000)
  expect(kept()).toEqual({ panel: true, task: 't2' })
})

it.each(['', 'nonsense', '[]', 'null', '{"task":3,"drafts":null,"anchors":7}'])('starts with nothing where %j is kept', async (text) => {
  core.kept = text
  await place.load()
  expect([place.lastTask(), place.draft('s1'), place.anchor('s1'), place.panelBeside()]).toEqual(['', '', null, false])
})

it('writes at once when the page goes', async () => {
  await place.load()
  place.rememberAnchor('s1', 7, -3)
  window.dispatchEvent(new Event('pagehide'))
  await pass(0)
  expect(kept()).toMatchObject({ anchors: { s1: { seq: 7, offset: -3 } } })
})

it('lives without its store', async () => {
  core.otherwise.set('Settings.Page', () => {
    throw new Error('no')
  })
  await place.load()
  place.rememberDraft('s1', 'a')
  expect(place.draft('s1')).toBe('a')
})
