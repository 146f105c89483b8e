import { render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../stores/app.svelte'
import { clock } from '../stores/clock.svelte'
import { layers } from '../stores/layers.svelte'
import { toasts } from '../stores/toasts.svelte'
import PartRow from '../parts/PartRow.svelte'
import { FakeCore } from '../testing/fakecore'
import * as make from '../testing/make'
import type { Auto } from '../types'
import { Typing } from './auto'
import AutoPick from './AutoPick.svelte'
import AutoRow from './AutoRow.svelte'

let core: FakeCore
const user = userEvent.setup()
beforeEach(() => {
  core = new FakeCore().install()
})
afterEach(() => {
  app.stopped = false
  layers.ledger = null
  toasts.list = []
})
const session = (over: Partial<Auto>) => {
  const s = make.session({ auto: make.auto(over) })
  core.add(s)
  return s
}

describe('what auto-resume means to do', () => {
  it('says what, why and in how long, and takes it back', async () => {
    render(AutoRow, { session: session({ now: 'safe', soon: { ...make.soon(0), due: clock.now + 9000 } }) })
    expect(screen.getByText('In 9 sec: Ask the agent to do what it announced.')).toBeInTheDocument()
    expect(screen.getByRole('group').getAttribute('aria-label')).toMatch(/^At .*: Ask the agent to do what it announced\. The turn has ended/)
    expect(screen.getByText(/^In 9/).closest('[aria-hidden=true]'), 'ticks are for the eye').not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(core.asked('Tasks.DismissAuto')).toEqual([['s1']])
    expect(core.asked('Tasks.Cancel'), 'the turn is left alone').toEqual([])
  })

  it('does not count below nothing', () => {
    render(AutoRow, { session: session({ now: 'safe', soon: { ...make.soon(0), due: clock.now - 1 } }) })
    expect(screen.getByText('Now: Ask the agent to do what it announced.')).toBeInTheDocument()
  })

  it.each([
    ['a notice with its button', { act: 'notice', kind: 'action_intent', what: { key: 'auto.kind_action_intent' }, why: { key: 'auto.rule_idle' } }, /^Auto-resume would do this: Ask the agent to do what it announced\./, 'Send it'],
    ['a notice that nothing is sent for', { act: 'notice', kind: '', what: { key: 'auto.kind_stall' }, why: { key: 'auto.rule_stall', args: { silent_ms: '184000' } } }, /^The agent has been silent for long\. Nothing has come from the agent for 3/, ''],
    ['that it has given up', { act: 'give_up', kind: '', what: { key: 'auto.gave_up' }, why: { key: 'failure.quota_limited' } }, /nothing more in this task until you write\. .* Look at what the agent said last/, 'Write a prompt'],
    ['a cancel', { act: 'cancel', kind: '', what: { key: 'auto.cancel' }, why: { key: 'auto.rule_tool_loop' } }, /^Auto-resume has cancelled the turn\. The same calls/, ''],
  ])('tells %s', async (_name, said, words, button) => {
    const { container } = render(AutoRow, { session: session({ now: 'full', said }) })
    expect(container.querySelector('p')?.textContent).toMatch(words)
    expect(screen.queryAllByRole('button').map((b) => b.textContent)).toEqual(button ? [button] : [])
    if (button !== 'Send it') return
    await user.click(screen.getByRole('button', { name: 'Send it' }))
    expect(core.asked('Tasks.SendAuto')).toEqual([['s1', 'action_intent']])
  })

  it.each([
    ['there is nothing to say', { now: 'full' }],
    ['it was switched off since', { now: 'off', said: { act: 'give_up', kind: '', what: { key: 'auto.gave_up' }, why: { key: '' } } }],
  ] as const)('is not there where %s', (_name, over) => {
    const { container } = render(AutoRow, { session: session(over) })
    expect(container.textContent).toBe('')
  })
})

describe('how far it may go', () => {
  it('says what holds, and sets the task and the folder', async () => {
    render(AutoPick, { session: session({ folder: 'safe', now: 'safe' }) })
    await user.click(screen.getByRole('button', { name: 'Auto-resume: Safe' }))
    expect(screen.getByRole('menuitemradio', { name: /^As its folder/ })).toHaveAttribute('aria-checked', 'true')
    expect(screen.getByRole('menuitemradio', { name: /^As its folder/ })).toHaveFocus()
    expect(screen.getAllByRole('menuitemradio')).toHaveLength(9)
    await user.click(screen.getAllByRole('menuitemradio', { name: /^Full/ })[0]!)
    expect(core.asked('Tasks.ChooseAuto')).toEqual([['s1', 'full']])
    await user.click(screen.getByRole('button', { name: 'Auto-resume: Safe' }))
    await user.click(screen.getAllByRole('menuitemradio', { name: /^Off/ })[1]!)
    expect(core.asked('Settings.ChooseAuto'), 'a folder that is off has no choice').toEqual([[make.row().dir, '']])
  })

  it('says that all is stopped, and allows it again', async () => {
    app.stopped = true
    render(AutoPick, { session: session({ choice: 'full', now: 'off' }) })
    await user.click(screen.getByRole('button', { name: 'Auto-resume: Stopped' }))
    await user.click(screen.getByRole('menuitem', { name: 'Allow again' }))
    expect(core.asked('Settings.StopAuto')).toEqual([[false]])
    await waitFor(() => expect(toasts.list).toHaveLength(1))
    toasts.list[0]!.act!.run()
    await waitFor(() => expect(core.asked('Settings.StopAuto')).toEqual([[false], [true]]))
  })

  it('opens the ledger of the session, and of all', async () => {
    render(AutoPick, { session: session({}) })
    await user.click(screen.getByRole('button', { name: 'Auto-resume: Off' }))
    await user.click(screen.getByRole('menuitem', { name: 'In this task' }))
    expect(layers.ledger).toBe('s1')
    await user.click(screen.getByRole('button', { name: 'Auto-resume: Off' }))
    await user.click(screen.getByRole('menuitem', { name: 'In all tasks' }))
    expect(layers.ledger).toBe('')
  })
})

describe('typing', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is told at most once a second, for each session by itself', () => {
    let now = 5000
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const writes = new Typing()
    for (now of [5000, 5300, 5999, 6000, 6100]) writes.tell('s1')
    writes.tell('s2')
    expect(core.asked('Tasks.Typing')).toEqual([['s1'], ['s1'], ['s2']])
  })
})

it('marks a prompt of auto-resume, which is not the user’s', () => {
  const part = make.part(1, { kind: 'prompt', text: 'Do it now.', auto: { kind: 'action_intent', count: 2 } })
  render(PartRow, { part, session: 's1', dir: '/' })
  expect(screen.getByText('Sent by auto-resume · Ask the agent to do what it announced · number 2 since you wrote')).toBeInTheDocument()
  expect(screen.queryByRole('heading', { name: 'You' })).toBeNull()
})
