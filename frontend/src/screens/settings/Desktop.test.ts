import { render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toasts } from '../../stores/toasts.svelte'
import { FakeCore, refuse } from '../../testing/fakecore'
import { words } from '../../words/words.svelte'
import Checks from './Checks.svelte'
import Desktop from './Desktop.svelte'

let core: FakeCore
const user = userEvent.setup()

beforeEach(() => {
  core = new FakeCore().install()
})
afterEach(() => {
  toasts.list = []
})

it('shows each switch as it is and sets the one that is changed', async () => {
  render(Desktop)
  expect(await screen.findByLabelText('Start when you log in')).not.toBeChecked()
  expect(screen.getByLabelText('Stay in the tray when the window is closed')).toBeChecked()
  await user.click(screen.getByLabelText('A turn has finished'))
  await waitFor(() => expect(core.desktop.notify.finished).toBe(false))
  expect(core.desktop.notify.asks).toBe(true)
  await waitFor(() => expect(screen.getByLabelText('A turn has finished')).not.toBeChecked())
})

it('goes back where a change is refused', async () => {
  core.otherwise.set('Settings.SetDesktop', () => {
    throw refuse('error.autostart')
  })
  render(Desktop)
  await user.click(await screen.findByLabelText('Start when you log in'))
  await waitFor(() => expect(toasts.list[0]?.text).toContain('start entry could not be written'))
  expect(screen.getByLabelText('Start when you log in')).not.toBeChecked()
})

it('sets quiet hours when both ends are there, and takes them away', async () => {
  render(Desktop)
  const from = await screen.findByLabelText<HTMLInputElement>('From')
  await user.type(from, '22:00')
  expect(core.desktop.notify.quiet_from).toBe('')
  await user.type(screen.getByLabelText('To'), '07:00')
  await waitFor(() => expect(core.desktop.notify).toMatchObject({ quiet_from: '22:00', quiet_to: '07:00' }))
  await user.click(screen.getByRole('button', { name: 'No quiet hours' }))
  await waitFor(() => expect(core.desktop.notify).toMatchObject({ quiet_from: '', quiet_to: '' }))
})

it('checks when asked and copies a report', async () => {
  render(Checks)
  expect(screen.queryByRole('list')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Check now' }))
  const items = within(await screen.findByRole('status')).getAllByRole('listitem')
  expect(items).toHaveLength(2)
  words.use({ 'check.agents': 'Agents', 'check.agents_found': '{{.agents}}' }, 'en')
  await waitFor(() => expect(items[0]).toHaveTextContent('Agents In order: OpenCode 1.2.3, Claude 0.9'))
  await user.click(screen.getByRole('button', { name: 'Copy report' }))
  await waitFor(() => expect(core.clipboard.split('\n')).toHaveLength(2))
  expect(core.clipboard).toMatch(/^✓ Agents: OpenCode/)
  words.use({}, 'en')
})
