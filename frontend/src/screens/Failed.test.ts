import { cleanup, render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { app } from '../stores/app.svelte'
import { clock } from '../stores/clock.svelte'
import { FakeCore } from '../testing/fakecore'
import * as make from '../testing/make'
import TaskList from './TaskList.svelte'
import Tasks from './Tasks.svelte'

let core: FakeCore
beforeEach(async () => {
  core = new FakeCore().install()
  core.add(make.session({ cards: [make.card()], row: make.row({ state: 'needs_you', title: 'The limited one' }) }), [make.part(1, { kind: 'prompt', text: 'the failed one' })])
  core.add(make.session({ row: make.row({ task: 't2', session: 's2', title: 'The good one' }) }))
  core.add(make.session({ cards: [make.card({ id: -9, code: '', heading: { key: 'card.never_started', args: { agent: 'Claude' } }, reset: 0, link_host: '' })], row: make.row({ task: 't3', session: 's3', state: 'failed', title: 'The silent one' }) }))
  await app.start()
})
afterEach(() => {
  cleanup()
  app.failing = app.starting = false
  app.open.leave()
  app.stop()
})

const list = () => screen.findByRole('region', { name: 'What went wrong' })

describe('the list of failed sessions', () => {
  it('shows each with the card that it shows when it is open', async () => {
    render(Tasks)
    await userEvent.click(screen.getByRole('button', { name: 'What went wrong' }))
    const region = await list()
    await within(region).findByText('The limited one')
    expect(within(region).getAllByRole('article').map((a) => a.getAttribute('aria-label'))).toEqual(['The limited one', 'The silent one'])
    const there = within(region).getByRole('heading', { name: 'The usage limit of glm-5.1 is reached.' }).closest('section')!.textContent
    await userEvent.click(within(region).getByRole('button', { name: /The limited one/ }))
    const heading = await screen.findByRole('heading', { name: 'The usage limit of glm-5.1 is reached.' })
    expect(heading.closest('section')!.textContent).toBe(there)
    expect(app.open.task).toBe('t1')
  })

  it('says so when there is none, and when it cannot be read', async () => {
    core.otherwise.set('Tasks.Failures', () => ({ list: [], more: false }))
    app.showFailed()
    render(Tasks)
    await screen.findByText('Nothing stands against any session.')
    core.otherwise.set('Tasks.Failures', () => { throw new Error(JSON.stringify({ key: 'error.history' })) })
    core.change('s2', { row: make.row({ task: 't2', session: 's2', updated: make.now }) })
    expect(await screen.findByRole('alert')).toBeInTheDocument()
  })

  it('puts a card away in its place', async () => {
    app.showFailed()
    render(Tasks)
    const region = await list()
    const entry = (await within(region).findByText('The silent one')).closest('article')!
    await userEvent.click(within(entry).getByRole('button', { name: 'Dismiss' }))
    expect(core.asked('Tasks.Dismiss')).toEqual([[-9]])
    await waitFor(() => expect(within(region).queryByText('The silent one')).toBeNull())
    expect(app.failing).toBe(true)
  })

  it.each([
    ['Resume', 'Tasks.Connect', ['s1']],
    ['Send again', 'Tasks.Send', ['s1', { text: 'the failed one', files: [], blobs: [] }]],
    ['Start fresh', 'Tasks.StartFresh', ['s1']],
  ])('%s opens the task and acts there', async (name, call, args) => {
    app.showFailed()
    render(Tasks)
    const region = await list()
    const entry = (await within(region).findByText('The limited one')).closest('article')!
    await userEvent.click(within(entry).getByRole('button', { name }))
    await waitFor(() => expect(core.asked(call)).toEqual([args]))
    expect(app.failing).toBe(false)
    expect(app.open.task).toBe('t1')
  })
})

describe('the row of a limit', () => {
  it.each([
    ['before its reset', 60_000, /More capacity at/],
    ['after its reset', -1, /Capacity should be back/],
  ])('%s', async (_name, ahead, says) => {
    core.change('s1', { row: make.row({ state: 'needs_you', detail: { key: 'row.reset', args: { reset: String(clock.now + ahead) } } }) })
    await app.load()
    render(TaskList)
    expect(await screen.findByText(says)).toBeInTheDocument()
  })
})
