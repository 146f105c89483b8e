import { render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { app } from '../../stores/app.svelte'
import { toasts } from '../../stores/toasts.svelte'
import { FakeCore, refuse } from '../../testing/fakecore'
import Auto from './Auto.svelte'

let core: FakeCore
const user = userEvent.setup()
beforeEach(() => {
  core = new FakeCore().install()
})
afterEach(() => {
  app.stopped = false
  toasts.list = []
})

// Folded away until it is opened, which is nothing to a test.
const field = (role: string, name: string) => screen.findByRole<HTMLInputElement>(role, { name, hidden: true })
async function put(box: HTMLInputElement, text: string): Promise<void> {
  await user.clear(box)
  if (text) await user.type(box, text)
  await user.tab()
}

it('shows a number with its unit and bounds, sets it, and takes it back', async () => {
  render(Auto)
  const box = await field('spinbutton', 'Countdown')
  expect(box.value).toBe('5')
  expect(box).toHaveAccessibleDescription('0 to 10 min. Time to see what is about to be sent, and to cancel it.')
  await put(box, '2.5')
  expect(core.asked('Settings.SetAuto')).toEqual([['countdownMs', '2500']])
  await user.click(screen.getByRole('button', { name: 'Usual: 10 sec', hidden: true }))
  expect(core.asked('Settings.SetAuto')[1]).toEqual(['countdownMs', ''])
  await waitFor(async () => expect((await field('spinbutton', 'Countdown')).value).toBe('10'))
  expect(screen.queryByRole('button', { name: /^Usual/, hidden: true })).toBeNull()
})

it('says what Go refuses beside the number, and asks nothing for what is none', async () => {
  render(Auto)
  const box = await field('spinbutton', 'Most prompts in the window')
  await put(box, '')
  expect(screen.getByRole('alert', { hidden: true })).toHaveTextContent('Write a number between 1 and 50.')
  expect(core.asked('Settings.SetAuto')).toEqual([])
  core.otherwise.set('Settings.SetAuto', () => {
    throw refuse('error.auto_option', { why: '999 is not between 1 and 50' })
  })
  await put(box, '999')
  await waitFor(() => expect(screen.getByRole('alert', { hidden: true })).toHaveTextContent('That cannot be set: 999 is not between 1 and 50'))
  expect(box).toHaveAttribute('aria-invalid', 'true')
})

it('switches a detector, and back where that is refused', async () => {
  render(Auto)
  await user.click(await field('checkbox', 'The same calls again and again'))
  expect(core.asked('Settings.SetAuto')).toEqual([['toolLoop', 'false']])
  await waitFor(async () => expect(await field('checkbox', 'The same calls again and again')).not.toBeChecked())
  core.otherwise.set('Settings.SetAuto', () => {
    throw refuse('error.settings_unwritten', { dir: '/x' })
  })
  await user.click(await field('checkbox', 'The same calls again and again'))
  await waitFor(async () => expect(await field('checkbox', 'The same calls again and again')).not.toBeChecked())
  expect(toasts.list).toHaveLength(1)
})

it('changes what is written, and takes it back', async () => {
  render(Auto)
  await put(await field('textbox', 'Ask the agent to do what it announced'), 'Do "it".')
  expect(core.asked('Settings.SetAuto')).toEqual([['actionIntentPrompt', '"Do \\"it\\"."']])
  await user.click(await field('button', 'Back to ours: Ask the agent to continue'))
  expect(core.asked('Settings.SetAuto')[1]).toEqual(['continuePrompt', ''])
  await waitFor(async () => expect((await field('textbox', 'Ask the agent to continue')).value).toBe('You stopped in the middle. Go on from where you were.'))
})

it('changes and forgets folders', async () => {
  render(Auto)
  await user.selectOptions(await field('combobox', 'Auto-resume in /home/ana/src/billing-service'), 'full')
  await user.click(await field('button', 'Remove the choice for /home/ana/src/billing-service'))
  expect(core.asked('Settings.ChooseAuto')).toEqual([['/home/ana/src/billing-service', 'full'], ['/home/ana/src/billing-service', '']])
  expect(await screen.findByText('No folder has a choice of its own.')).toBeInTheDocument()
})

it('tells everything that is wrong with a configuration, and keeps it to be mended', async () => {
  core.otherwise.set('Settings.ImportAuto', () => {
    throw refuse('error.auto_import', { why: 'read option maxRetrys: the name is not known\nread option windowBudget: 0 is not between 1 and 50' })
  })
  render(Auto)
  const box = await field('textbox', 'Configuration as JSON')
  await user.click(await field('button', 'Take over'))
  expect(screen.getByRole('alert', { hidden: true })).toHaveTextContent('Paste a configuration first.')
  await user.click(box)
  await user.paste('{ "maxRetrys": 2 }')
  await user.click(await field('button', 'Take over'))
  await waitFor(() => expect(screen.getByRole('alert', { hidden: true }).querySelectorAll('li')).toHaveLength(2))
  expect(box.value).toBe('{ "maxRetrys": 2 }')
  core.otherwise.clear()
  await user.click(await field('button', 'Take over'))
  await waitFor(() => expect(box.value).toBe(''))
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull()
})

it('stops everything and allows it again', async () => {
  render(Auto)
  const box = await field('checkbox', 'Allow automation')
  expect(box).toBeChecked()
  await user.click(box)
  expect(core.asked('Settings.StopAuto')).toEqual([[true]])
  app.stopped = true
  await waitFor(() => expect(box).not.toBeChecked())
})

it('says what went wrong, and asks again', async () => {
  core.otherwise.set('Settings.Auto', () => {
    throw refuse('error.unreachable')
  })
  render(Auto)
  const again = await screen.findByRole('button', { name: 'Try again' })
  core.otherwise.clear()
  await user.click(again)
  expect(await field('spinbutton', 'Countdown')).toBeInTheDocument()
})
