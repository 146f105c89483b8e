import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { app } from '../stores/app.svelte'
import { layers } from '../stores/layers.svelte'
import { FakeCore, refuse } from '../testing/fakecore'
import { autoRow } from '../testing/make'
import * as make from '../testing/make'
import Ledger from './Ledger.svelte'
import { fold } from './ledger'

let core: FakeCore
beforeEach(async () => {
  core = new FakeCore().install()
  core.add(make.session())
  await app.load()
})
afterEach(() => {
  layers.ledger = null
  app.leaveTask()
})

const about = (id: number, of: number, session = 's1') => autoRow(id, { session, row: 0, of, act: 'outcome' })

it.each([
  ['what came of it stands under it, oldest first', [about(4, 7), about(3, 7), autoRow(2, { row: 7 })], [[2, 3, 4]]],
  ['another session has numbers of its own', [about(4, 7, 's2'), autoRow(2, { row: 7 })], [[4], [2]]],
  ['a number of an earlier run is not meant', [about(9, 1), autoRow(8, { row: 1 }), about(4, 1), autoRow(3, { row: 1 })], [[8, 9], [3, 4]]],
  ['what it is about has not been read yet', [about(4, 7), autoRow(3, { row: 8 })], [[4], [3]]],
  ['nothing', [], []],
])('folds: %s', (_name, rows, want) => {
  expect(fold(rows).map((e) => [e.row.id, ...e.after.map((r) => r.id)])).toEqual(want)
})

it('says so where there is nothing', async () => {
  render(Ledger, { session: 's1' })
  expect(await screen.findByText('Auto-resume has done nothing here yet.')).toBeInTheDocument()
  expect(core.asked('Tasks.Ledger')).toEqual([['s1', 0]])
  expect(screen.queryByRole('button', { name: 'Copy as text' })).toBeNull()
})

// By text and by element: a search by role looks at the style of everything, and here is much.
const lines = () => document.querySelectorAll('li').length

it('lists what was done, asks for more, copies, and opens a task', async () => {
  core.ledger = Array.from({ length: 110 }, (_, i) => autoRow(110 - i, i === 1 ? { task: 'gone' } : {}))
  render(Ledger, { session: '' })
  await waitFor(() => expect(lines()).toBe(100))
  expect(core.asked('Tasks.Ledger'), 'nobody has asked for more').toEqual([['', 0]])
  expect(screen.getByText('A task that is not listed')).toBeInTheDocument()
  await fireEvent.click(screen.getByText('Show earlier'))
  await waitFor(() => expect(lines()).toBe(110))
  expect(core.asked('Tasks.Ledger')).toEqual([['', 0], ['', 11]])
  expect(screen.queryByText('Show earlier')).toBeNull()
  await fireEvent.click(screen.getByText('Copy as text'))
  await waitFor(() => expect(core.clipboard.split('\n')).toHaveLength(110))
  expect(core.clipboard.split('\n')[0]).toMatch(/\tMove billing to usage records\tSent\tAsk the agent to do what it announced\tThe turn has ended/)
  layers.ledger = ''
  await fireEvent.click(screen.getAllByText('Move billing to usage records')[0]!)
  await waitFor(() => expect(app.open.task).toBe('t1'))
  expect(layers.ledger).toBeNull()
})

it('says what went wrong, keeps what is there, and tries again', async () => {
  core.ledger = Array.from({ length: 101 }, (_, i) => autoRow(101 - i))
  render(Ledger, { session: '' })
  await waitFor(() => expect(lines()).toBe(100))
  core.otherwise.set('Tasks.Ledger', () => {
    throw refuse('hint.history_io', { dir: '/x' })
  })
  await fireEvent.scroll(document.querySelector('.own')!) // its end is near
  const again = await screen.findByText('Try again')
  expect(lines()).toBe(100)
  await fireEvent.scroll(document.querySelector('.own')!)
  expect(core.asked('Tasks.Ledger'), 'a scroll does not try again').toHaveLength(2)
  core.otherwise.clear()
  await fireEvent.click(again)
  await waitFor(() => expect(lines()).toBe(101))
})
