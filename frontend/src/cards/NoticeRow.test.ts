import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { details, vitals } from '../stores/vitals.svelte'
import { FakeCore, refuse } from '../testing/fakecore'
import * as make from '../testing/make'
import NoticeRow from './NoticeRow.svelte'

const session = make.session({ row: make.row({ state: 'running', phase: 'quiet' }), turn: { ...make.session().turn, ended: 0 } })
const notice = { kind: 'quiet', phrase: { key: 'notice.quiet', args: { tool: 'bash' } }, at: 0, cancel: true }
let core: FakeCore
let hidden = false

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  core = new FakeCore().install()
})
afterEach(() => {
  details.set('t1', false)
  vitals.watch('')() // forgets what it had
  hidden = false
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const buttons = () => screen.getAllByRole('button').map((b) => b.textContent?.trim())
const asked = () => core.asked('Tasks.Vitals').length
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('NoticeRow', () => {
  it('offers Cancel turn where it may, Restart where the agent has not stopped', () => {
    const { unmount } = render(NoticeRow, { notice, session })
    expect(buttons()).toEqual(['Cancel turn', 'Details'])
    unmount()
    render(NoticeRow, { notice: { ...notice, kind: 'not_stopped' }, session })
    expect(buttons()).toEqual(['Restart the agent', 'Details'])
  })

  it('names a kind of tool by its word', () => {
    render(NoticeRow, { notice: { ...notice, phrase: { key: 'notice.quiet', args: { kind: 'switch_mode' } } }, session })
    expect(screen.getByText('Still waiting. A tool (switch mode) has sent nothing for 5 minutes.')).toBeInTheDocument()
  })

  it('has nothing to unfold after the turn', () => {
    render(NoticeRow, { notice: { ...notice, kind: 'ended_empty', cancel: false }, session: make.session() })
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('asks only while it is unfolded, at most once a second, and says what it hears', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    render(NoticeRow, { notice, session })
    await pass(5000)
    expect(asked()).toBe(0)
    const more = screen.getByRole('button', { name: 'Details' })
    more.focus()
    await user.keyboard('{Enter}')
    await pass(10)
    expect(more).toHaveAttribute('aria-expanded', 'true')
    expect(asked()).toBe(1)
    expect(screen.getByText('In 41 earlier runs, bash was quiet for up to 12 min and then finished.')).toBeInTheDocument()
    expect(screen.getByText('Alive and working.')).toBeInTheDocument()
    expect(screen.getByText('node').closest('tr')).toHaveTextContent('96%')
    await pass(4990)
    expect(asked()).toBeLessThanOrEqual(6)
    const before = asked()
    await user.keyboard('{Enter}')
    await pass(10_000)
    expect(asked()).toBe(before)
  })

  it('stays unfolded for its task', async () => {
    details.set('t1', true)
    const { unmount } = render(NoticeRow, { notice, session })
    unmount()
    render(NoticeRow, { notice, session })
    expect(screen.getByRole('button', { name: 'Details' })).toHaveAttribute('aria-expanded', 'true')
  })

  it('asks nothing while the page is not seen, and at once when it is again', async () => {
    details.set('t1', true)
    hidden = true
    render(NoticeRow, { notice, session })
    await pass(20_000)
    expect(asked()).toBe(0)
    hidden = false
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(10)
    expect(asked()).toBe(1)
  })

  it.each([
    ['stopped', { halted: true, busy: false }, /^Alive, but stopped/],
    ['idle', { busy: false }, 'Alive, idle.'],
    ['not measured yet', { known: false, busy: false }, /^Alive\. Whether/],
    ['not to be seen', { at: 0, list: [] }, 'No process of the agent can be seen.'],
  ])('says of processes that they are %s', async (_name, tree, words) => {
    details.set('t1', true)
    core.vitals = () => make.vitals({ tree: { ...make.vitals().tree, ...tree } })
    render(NoticeRow, { notice, session })
    await pass(10)
    expect(screen.getByText(words)).toBeInTheDocument()
  })

  it('says why nothing can be told, and asks again', async () => {
    details.set('t1', true)
    core.otherwise.set('Tasks.Vitals', () => {
      throw refuse('ui.error.unreachable')
    })
    render(NoticeRow, { notice, session })
    await pass(10)
    flushSync()
    expect(screen.getByText(/./, { selector: '.vitals > p' })).toBeInTheDocument()
    core.otherwise.clear()
    await pass(6000)
    expect(screen.getByText('Alive and working.')).toBeInTheDocument()
  })
})
