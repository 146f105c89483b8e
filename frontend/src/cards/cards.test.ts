import { fireEvent, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../stores/app.svelte'
import { clock } from '../stores/clock.svelte'
import { layers } from '../stores/layers.svelte'
import { view } from '../stores/view.svelte'
import { FakeCore } from '../testing/fakecore'
import * as make from '../testing/make'
import Card from './Card.svelte'
import Permission from './Permission.svelte'

let core: FakeCore
let time = 0
beforeEach(() => {
  core = new FakeCore().install()
  time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => time)
})

describe('Permission', () => {
  const show = (over = {}, first = true) => {
    core.add(make.session({ asks: [make.ask()] }))
    render(Permission, { ask: make.ask(over), session: 's1', dir: '/home/ana/src/billing-service', first })
    time = 1000
  }

  it('shows what, where and the options of the agent in its order, and chooses none', () => {
    show()
    expect(screen.getByRole('heading')).toHaveTextContent('Claude asks for a permission: edit')
    expect(screen.getByText(/inside the folder of this task/)).toBeInTheDocument()
    expect(screen.getByText('upload/handler.go')).toBeInTheDocument()
    expect(screen.getAllByRole('button').map((b) => b.textContent?.trim())).toEqual(['Allow once1', 'Allow for this session2', 'Reject3', 'Answer nothing'])
    expect(document.activeElement).toBe(document.body)
    expect(core.asked('Tasks.Decide')).toEqual([])
  })

  it('says when a file is outside the folder', () => {
    show({ inside: false })
    expect(screen.getByText(/outside the folder of this task/)).toBeInTheDocument()
  })

  it('is answered by digit', async () => {
    show()
    await fireEvent.keyDown(document.body, { key: '3', code: 'Digit3' })
    expect(core.asked('Tasks.Decide')).toEqual([['s1', 'a1', 'no']])
  })

  it('is not answered twice', async () => {
    show()
    await fireEvent.keyDown(document.body, { key: '1', code: 'Digit1' })
    await fireEvent.keyDown(document.body, { key: '2', code: 'Digit2' })
    expect(core.asked('Tasks.Decide')).toHaveLength(1)
  })

  it.each([
    ['a digit that stands for no option', { key: '9', code: 'Digit9' }],
    ['a key that is held', { key: '1', code: 'Digit1', repeat: true }],
    ['Esc', { key: 'Escape' }],
    ['Enter', { key: 'Enter' }],
    ['a digit with Ctrl', { key: '1', code: 'Digit1', ctrlKey: true }],
  ])('is not answered by %s', async (_name, key) => {
    show()
    await fireEvent.keyDown(document.body, key)
    expect(core.asked('Tasks.Decide')).toEqual([])
  })

  it('is not answered in its first moment', async () => {
    show()
    time = 399
    await fireEvent.keyDown(document.body, { key: '1', code: 'Digit1' })
    expect(core.asked('Tasks.Decide')).toEqual([])
    time = 400
    await fireEvent.keyDown(document.body, { key: '1', code: 'Digit1' })
    expect(core.asked('Tasks.Decide')).toHaveLength(1)
  })

  it('is not answered by a digit in a text, but by Alt with it', async () => {
    show()
    const box = document.body.appendChild(document.createElement('textarea'))
    await fireEvent.keyDown(box, { key: '1', code: 'Digit1' })
    expect(core.asked('Tasks.Decide')).toEqual([])
    await fireEvent.keyDown(box, { key: '¡', code: 'Digit1', altKey: true })
    expect(core.asked('Tasks.Decide')).toEqual([['s1', 'a1', 'once']])
    box.remove()
  })

  it('is not answered while something lies above it', async () => {
    show()
    const away = layers.add(() => undefined)
    await fireEvent.keyDown(document.body, { key: '1', code: 'Digit1' })
    away()
    expect(core.asked('Tasks.Decide')).toEqual([])
  })

  it('leaves the digits to the first of several', async () => {
    show({}, false)
    await fireEvent.keyDown(document.body, { key: '1', code: 'Digit1' })
    expect(core.asked('Tasks.Decide')).toEqual([])
  })

  it('shows options and titles of the agent as text', () => {
    show({ options: [{ id: 'x', name: '<img src=x onerror=1>', kind: 'allow_once' }], tool: make.tool({ title: '<b>rm</b>', kind: 'execute', input: '<i>' }) })
    expect(document.querySelector('img, b:not([class])')).toBeNull()
    expect(screen.getByText('<img src=x onerror=1>')).toBeInTheDocument()
  })
})

describe('Card', () => {
  afterEach(() => app.open.leave())

  it('shows heading, guidance, reset, link and folded details, and has no address', () => {
    const reset = clock.now + 3_600_000
    render(Card, { card: make.card({ reset, guidance: { key: 'card.quota_until', args: { agent: 'OpenCode', reset: String(reset) } } }), session: 's1' })
    expect(screen.getByRole('heading')).toHaveTextContent('The usage limit of glm-5.1 is reached.')
    expect(screen.getByText(/there is more capacity at/)).toBeInTheDocument()
    expect(screen.getByText(/That is in/)).toHaveTextContent('in 1 hr')
    expect(screen.getByText('Nothing is retried until you say so.')).toBeInTheDocument()
    for (const d of document.querySelectorAll('details')) expect(d).not.toHaveAttribute('open')
    expect(document.querySelector('a')).toBeNull()
  })

  it('says that capacity should be back once the reset has passed, does nothing and announces nothing', () => {
    const reset = Date.now() - 3_600_000
    render(Card, { card: make.card({ reset, later: { key: 'card.quota_back', args: { agent: 'OpenCode', reset: String(reset) } } }), session: 's1' })
    expect(screen.getByText(/capacity should be back/)).toBeInTheDocument()
    expect(screen.queryByText(/there is more capacity at/)).toBeNull()
    expect(screen.queryByText(/That is in/)).toBeNull()
    expect(document.querySelector('[aria-live], [role=status], [role=alert]')).toBeNull()
    expect(core.asked('Tasks.Send')).toEqual([])
    expect(core.asked('Tasks.Connect')).toEqual([])
  })

  it('says why: the evidence, its channel, its rule and its time', () => {
    render(Card, { card: make.card(), session: 's1' })
    const why = screen.getByText('Why do you say this?').closest('details')!
    expect(why).toHaveTextContent(/OpenCode wrote a record of a failed model stream on its error output at .+\(rule opencode\.limit\)/)
    expect(why.querySelector('pre')).toHaveTextContent('5-hour usage limit reached.')
    expect(screen.getByText('Technical details').closest('details')).toHaveTextContent(/opencode-go.*glm-5\.1/)
  })

  it('offers the models of the agent where the composer has them', async () => {
    const model = vi.fn()
    const off = view.can({ model })
    render(Card, { card: make.card(), session: 's1' })
    await userEvent.click(screen.getByRole('button', { name: 'Switch model' }))
    expect(model).toHaveBeenCalledOnce()
    off()
  })

  it.each([
    ['Resume', 'Tasks.Connect', ['s1']],
    ['Resume', 'Tasks.Release', ['s1']],
    ['Dismiss', 'Tasks.Dismiss', [7]],
    ['Open opencode.ai', 'Tasks.OpenRemediation', [7]],
  ])('%s asks for %s', async (name, call, args) => {
    core.add(make.session())
    render(Card, { card: make.card(), session: 's1' })
    await userEvent.click(screen.getByRole('button', { name }))
    expect(core.asked(call)).toEqual([args])
  })

  it('sends the failed prompt again only on request', async () => {
    core.add(make.session(), [make.part(1, { kind: 'prompt', turn: 1, text: 'the failed one' }), make.part(2, { kind: 'prompt', turn: 2, text: 'a later one' })])
    render(Card, { card: make.card({ actions: ['send_again'] }), session: 's1' })
    expect(core.asked('Tasks.Send')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
    expect(core.asked('Tasks.Send')).toEqual([['s1', { text: 'the failed one', files: [], blobs: [] }]])
  })

  it('shows the command of a login, and opens the terminal by a click', async () => {
    render(Card, { card: make.card({ code: 'auth_required', actions: ['log_in', 'send_again'], login: 'opencode auth login', link_host: '' }), session: 's1' })
    expect(screen.getByText('opencode auth login')).toBeInTheDocument()
    await fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(core.asked('Tasks.LogIn')).toEqual([['s1']])
  })

  it('offers nothing that it does not know', () => {
    render(Card, { card: make.card({ actions: ['format_disk', 'resume'], link_host: '' }), session: 's1' })
    expect(screen.getAllByRole('button').map((b) => b.textContent)).toEqual(['Resume'])
  })
})
