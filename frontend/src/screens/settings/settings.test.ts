import { render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prefs } from '../../stores/prefs.svelte'
import { toasts } from '../../stores/toasts.svelte'
import { FakeCore } from '../../testing/fakecore'
import { words } from '../../words/words.svelte'
import Keep from './Keep.svelte'
import Trusted from './Trusted.svelte'

let core: FakeCore
const user = userEvent.setup()

beforeEach(async () => {
  core = new FakeCore()
  core.install()
  await prefs.load()
})
afterEach(() => {
  toasts.list = []
  words.use({}, 'en')
})

describe('what is kept', () => {
  it('says each limit in words and sets the one that is changed', async () => {
    render(Keep)
    expect(screen.getByLabelText('Keep transcripts for')).toHaveDisplayValue('180 days')
    expect(screen.getByLabelText('Keep at most')).toHaveDisplayValue('2 GB')
    await user.selectOptions(screen.getByLabelText('Keep at most'), 'no limit')
    await waitFor(() => expect(core.prefs.keep).toEqual({ days: 180, mib: 0, purge: 1, idle: 10 }))
    await user.selectOptions(screen.getByLabelText('Stop an idle agent after'), '30 minutes')
    await waitFor(() => expect(core.prefs.keep).toEqual({ days: 180, mib: 0, purge: 1, idle: 30 }))
  })

  it('offers a number that was written by hand', async () => {
    core.prefs = { ...core.prefs, keep: { days: 42, mib: 2048, purge: 1, idle: 10 } }
    await prefs.load()
    render(Keep)
    expect(screen.getByLabelText('Keep transcripts for')).toHaveDisplayValue('42 days')
    expect([...screen.getByLabelText<HTMLSelectElement>('Keep transcripts for').options].map((o) => o.text)).toEqual([
      '30 days', '42 days', '90 days', '180 days', '365 days', 'ever',
    ])
  })
})

describe('trust', () => {
  it('is taken back folder by folder, and the last one leaves a word', async () => {
    core.prefs = { ...core.prefs, trusted: ['/a', '/b'] }
    await prefs.load()
    render(Trusted)
    await user.click(screen.getByRole('button', { name: 'Forget /a' }))
    await waitFor(() => expect(core.prefs.trusted).toEqual(['/b']))
    expect(toasts.list[0]!.text).toContain('/a is no longer trusted')
    await user.click(screen.getByRole('button', { name: 'Forget /b' }))
    expect(await screen.findByText(/No folder yet/)).toBeInTheDocument()
  })
})
