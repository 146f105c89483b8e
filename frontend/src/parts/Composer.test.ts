import * as place from '../stores/place'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { Writing } from '../stores/drafts.svelte'
import { toasts } from '../stores/toasts.svelte'
import { FakeCore, refuse } from '../testing/fakecore'
import * as make from '../testing/make'
import type { Session } from '../types'
import Composer from './Composer.svelte'

function show(over: Partial<Session> = {}) {
  const core = new FakeCore().install()
  const session = make.session({ commands: [{ name: 'review', description: 'Review', hint: '' }, { name: 'compact', description: '', hint: '' }], ...over })
  core.add(session)
  const writing = new Writing('s1')
  const { container } = render(Composer, { session, writing })
  return { core, writing, container, box: screen.getByRole<HTMLTextAreaElement>('textbox'), user: userEvent.setup() }
}

describe('Composer', () => {
  beforeEach(() => {
    place.reset()
    toasts.list = []
  })

  it('sends by Ctrl+Enter and makes a line by Enter', async () => {
    const { core, box, user } = show()
    await user.type(box, 'first{Enter}second')
    expect(core.asked('Tasks.Send')).toEqual([])
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(core.asked('Tasks.Send')).toEqual([['s1', { text: 'first\nsecond', files: [], blobs: [] }]])
    expect(box.value).toBe('')
  })

  it('sends nothing that is empty', async () => {
    const { core, box, user } = show()
    await user.type(box, '  {Enter}')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(screen.getByRole('button', { name: /Send/ })).toBeDisabled()
    expect(core.asked('Tasks.Send')).toEqual([])
  })

  it('keeps what was written when it cannot be sent', async () => {
    const { core, box, user } = show()
    core.otherwise.set('Tasks.Send', () => {
      throw refuse('refused.not_open')
    })
    await user.type(box, 'keep me')
    await user.click(screen.getByRole('button', { name: /Send/ }))
    expect(box.value).toBe('keep me')
    expect(toasts.list.map((t) => t.text)).toEqual(['The agent is not running.'])
  })

  it('keeps the draft over a reload', async () => {
    const { box, user } = show()
    await user.type(box, 'half a thou')
    expect(new Writing('s1').text).toBe('half a thou')
    expect(new Writing('s2').text).toBe('')
  })

  it('offers the commands of the agent on a slash, and takes one by key', async () => {
    const { box, user } = show()
    await user.type(box, '/')
    expect(within(screen.getByRole('listbox')).getAllByRole('option').map((o) => o.textContent)).toEqual(['reviewReview', 'compact'])
    await user.keyboard('{ArrowDown}{Enter}')
    expect(box.value).toBe('/compact ')
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('offers files on an @ and sends those that the text still mentions', async () => {
    const { core, box, user } = show()
    await user.type(box, 'see @usage')
    await waitFor(() => expect(screen.getByRole('option')).toHaveTextContent('schema/usage.sql'))
    await user.keyboard('{Tab}and @READ')
    await waitFor(() => expect(screen.getByRole('option')).toHaveTextContent('README.md'))
    await user.keyboard('{Enter}')
    expect(box.value).toBe('see @schema/usage.sql and @README.md ')
    await fireEvent.input(box, { target: { value: 'see @schema/usage.sql' } })
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(core.asked('Tasks.Send')).toEqual([['s1', { text: 'see @schema/usage.sql', files: ['schema/usage.sql'], blobs: [] }]])
  })

  it('goes back through earlier prompts from the start of the text, and forth again', async () => {
    const { box, user } = show()
    await user.click(box)
    await user.keyboard('{ArrowUp}')
    await waitFor(() => expect(box.value).toBe('Add a test for the backfill'))
    await user.keyboard('{ArrowUp}')
    await waitFor(() => expect(box.value).toBe('Fix the flaky import test'))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    await waitFor(() => expect(box.value).toBe(''))
  })

  it('takes a pasted image where the agent takes images', async () => {
    const { core, box, user } = show({ takes: { known: true, images: true, embeds: false } })
    await user.click(box)
    await fireEvent.paste(box, { clipboardData: { files: [new File(['x'], 'shot.png', { type: 'image/png' })] } })
    await waitFor(() => expect(screen.getByText('shot.png')).toBeInTheDocument())
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(core.asked('Tasks.Send')).toEqual([['s1', { text: '', files: [], blobs: [{ name: 'shot.png', mime: 'image/png', data: 'eA==' }] }]])
  })

  it('says why a dropped file is not taken', async () => {
    const { container } = show()
    await fireEvent.drop(container.querySelector('form')!, { dataTransfer: { files: [new File(['x'], 'a.txt', { type: 'text/plain' })], types: ['Files'] } })
    await waitFor(() => expect(toasts.list[0]?.text).toContain('a.txt'))
    expect(screen.queryByText('a.txt', { selector: 'bdi' })).toBeNull()
  })

  it('puts a prompt into the queue while a turn runs, and shows the queue', async () => {
    const { core, user } = show({ row: make.row({ state: 'running', phase: 'working' }), queue: [{ id: 'q1', text: 'later', more: 1 }], held: true })
    expect(screen.getByRole('button', { name: /^Queue/ })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Send now' }))
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const edit = screen.getByRole('textbox', { name: 'Edit' })
    await user.clear(edit)
    await user.type(edit, 'now')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    expect(core.asked('Tasks.Release')).toEqual([['s1']])
    expect(core.asked('Tasks.EditQueued')).toEqual([['s1', 'q1', 'now']])
    expect(core.asked('Tasks.RemoveQueued')).toEqual([['s1', 'q1']])
  })

  it.each([
    ['off', []],
    ['notify', [['s1']]],
    ['full', [['s1']]],
  ] as const)('tells auto-resume, which is %s, of the typing where that matters', async (now, told) => {
    const { core, box } = show({ auto: make.auto({ now }) })
    await fireEvent.input(box, { target: { value: 'I' } })
    await fireEvent.input(box, { target: { value: 'I w' } })
    expect(core.asked('Tasks.Typing')).toEqual(told)
  })

  it('offers what the agent lets the user choose, by key', async () => {
    const model = { id: 'model', category: 'model', name: 'Model', current: 'a', choices: Array.from({ length: 12 }, (_, i) => ({ value: String.fromCharCode(97 + i), name: `Model ${i + 1}`, description: '' })) }
    const { core, user } = show({ options: [model] })
    await user.click(screen.getByRole('button', { name: /Model: Model 1/ }))
    await user.keyboard('12{Enter}')
    expect(core.asked('Tasks.Choose')).toEqual([['s1', 'model', 'l']])
  })
})
