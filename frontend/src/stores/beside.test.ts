import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeCore, refuse } from '../testing/fakecore'
import { app } from './app.svelte'
import { toasts } from './toasts.svelte'
import { attend, listen } from './beside'

let core: FakeCore
let stop: () => void

beforeEach(() => {
  core = new FakeCore().install()
  stop = listen()
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

it('says once what the user looks at, and again when that changes', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  attend()
  attend()
  expect(core.asked('Tasks.Attend')).toEqual([[true, '']])
  focus.mockReturnValue(false)
  window.dispatchEvent(new Event('blur'))
  expect(core.asked('Tasks.Attend')).toEqual([[true, ''], [false, '']])
  await Promise.resolve()
})

it('opens the task that is asked for outside the page, once', async () => {
  const open = vi.spyOn(app, 'openTask').mockResolvedValue()
  core.otherwise.set('Tasks.Open', () => ({}))
  core.wanted = 't7'
  core.show()
  await vi.waitFor(() => expect(open).toHaveBeenCalledWith('t7'))
  await app.showAsked()
  expect(open).toHaveBeenCalledTimes(1)
})

it('says that a task is not there and leaves open what is', async () => {
  const open = vi.spyOn(app, 'openTask').mockResolvedValue()
  core.otherwise.set('Tasks.Open', () => {
    throw refuse('error.not_found')
  })
  core.wanted = 't8'
  expect(await app.showAsked()).toBe(false)
  expect(open).not.toHaveBeenCalled()
  expect(toasts.list).toHaveLength(1)
  toasts.list = []
})
