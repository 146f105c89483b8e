import { render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeCore } from '../testing/fakecore'
import { hostile } from '../testing/hostile'
import * as make from '../testing/make'
import type { Part } from '../types'
import PartRow from './PartRow.svelte'

let core: FakeCore
beforeEach(() => {
  core = new FakeCore().install()
})
const show = (over: Partial<Part>, live = false) => render(PartRow, { part: make.part(1, over), session: 's1', dir: '/home/ana/src/billing-service', live })

describe('PartRow', () => {
  it('folds a thought', async () => {
    show({ kind: 'thought', text: 'secret plan' })
    expect(screen.queryByText('secret plan', { selector: 'p' })).toBeNull()
    await userEvent.click(screen.getByText('thought'))
    expect(await screen.findByText('secret plan', { selector: 'p' })).toBeInTheDocument()
  })

  it('says that a text is late or no answer', () => {
    show({ text: 'x', late: true, marked: true })
    expect(screen.getByText('Came after the end of the turn')).toBeInTheDocument()
    expect(screen.getByText('The agent’s own message, not an answer')).toBeInTheDocument()
  })

  it('shows a tool with kind, title, state and duration, and what it gave on request', async () => {
    show({ kind: 'tool', tool: make.tool({ title: 'Run tests', kind: 'execute', status: 'failed', took: 6320, output: 'boom' }) })
    const head = screen.getByText('Run tests').closest('summary')!
    expect(head).toHaveTextContent(/execute.*Run tests.*failed.*6\.3s/)
    expect(screen.queryByText('boom')).toBeNull()
    await userEvent.click(head)
    expect(await screen.findByText('boom')).toBeInTheDocument()
  })

  it('counts the time of a tool at work only in the turn in hand', () => {
    const open = { kind: 'tool', at: Date.now() - 9000, tool: make.tool({ status: 'in_progress', took: -1 }) }
    const { unmount } = show(open, true)
    expect(screen.getByText(/^0:0\d$/)).toBeInTheDocument()
    unmount()
    show(open, false)
    expect(screen.queryByText(/^0:0\d$/)).toBeNull()
    expect(screen.getByText('not finished')).toBeInTheDocument()
  })

  it('fetches what was cut when it is asked for', async () => {
    core.parts.set('s1', [make.part(1, { kind: 'tool', tool: make.tool({ output: 'all of it' }) })])
    show({ kind: 'tool', tool: make.tool({ output: 'some', cut: true }) })
    await userEvent.click(screen.getByText('schema/usage.sql'))
    await userEvent.click(await screen.findByRole('button', { name: 'Show all of it' }))
    expect(await screen.findByText('all of it')).toBeInTheDocument()
    expect(core.asked('Tasks.Part')).toEqual([['s1', 1]])
  })

  it('shows a diff with its lines and numbers, below the folder', async () => {
    show({ kind: 'tool', tool: make.tool({ diffs: [make.diff()] }) })
    await userEvent.click(screen.getByText('schema/usage.sql'))
    expect(await screen.findByText('upload/handler.go')).toBeInTheDocument()
    const rows = [...document.querySelectorAll('tr')].map((r) => [...r.cells].map((c) => c.textContent?.trim().replace(/\s+/g, ' ')))
    expect(rows[1]).toEqual(['42', '', '- body, err := io.ReadAll(r.Body)'])
    expect(rows[2]).toEqual(['', '42', '+ r.Body = http.MaxBytesReader(w, r.Body, maxUpload)'])
  })

  it('shows a plan with the state of each line in words', () => {
    show({ kind: 'plan', plan: [{ content: 'a', status: 'completed', priority: '' }, { content: 'b', status: 'in_progress', priority: '' }, { content: 'c', status: 'pending', priority: '' }] })
    expect(screen.getByRole('group', { name: 'Plan' })).toHaveTextContent(/1 of 3 done.*a.*done.*b.*in progress.*c/)
  })

  it.each(['other', 'hologram'])('shows a part of kind %s as it came', async (kind) => {
    show({ kind, raw: '{"x":"<b>"}' })
    await userEvent.click(screen.getByText('Something this version does not know'))
    expect(await screen.findByText('{"x":"<b>"}')).toBeInTheDocument()
  })

  it('shows pictures that came along, and none of any other kind or place', () => {
    show({
      text: 'x',
      blocks: [
        { kind: 'image', name: 'a', mime: 'image/png', data: 'AAAA', uri: '' },
        { kind: 'image', name: 'b', mime: 'image/svg+xml', data: 'AAAA', uri: '' },
        { kind: 'image', name: 'c', mime: 'image/png', data: '"onerror="x', uri: '' },
        { kind: 'image', name: 'd', mime: 'image/png', data: '', uri: 'https://evil.example/p.png' },
        { kind: 'resource_link', name: 'e', mime: '', data: '', uri: 'https://evil.example/' },
      ],
    })
    expect([...document.querySelectorAll('img')].map((i) => i.getAttribute('src'))).toEqual(['data:image/png;base64,AAAA'])
    expect(document.querySelector('[href], [srcset]')).toBeNull()
    expect(document.querySelectorAll('[data-address]')).toHaveLength(2)
  })

  it('copies code by its button', async () => {
    show({ text: '```js\nlet a\n```\n\n- in a list\n\n  ```\n  b\n  ```' })
    for (const b of screen.getAllByText('Copy code').concat(screen.getAllByLabelText('Copy code'))) {
      await userEvent.click(b)
      await waitFor(() => expect(core.clipboard).toMatch(/^(let a|b)\n$/))
    }
  })

  it('shows a very long text in steps', async () => {
    show({ text: ('line '.repeat(100) + '\n\n').repeat(2000) })
    const shown = () => document.querySelectorAll('.prose .block p').length
    const before = shown()
    expect(before).toBeLessThan(200)
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(shown()).toBeGreaterThan(before * 2)
  })

  it.each(hostile.filter(([, t]) => t.length < 2000))('is not moved by %s, wherever it stands', (_name, text) => {
    for (const over of [
      { kind: 'prompt', text },
      { kind: 'text', text },
      { kind: 'tool', tool: make.tool({ title: text, output: text, input: text }) },
      { kind: 'plan', plan: [{ content: text, status: text, priority: text }] },
      { kind: text, raw: text },
      { text: 'x', blocks: [{ kind: text, name: text, mime: text, data: text, uri: text }] },
    ]) {
      const { container, unmount } = show(over)
      expect(container.querySelector('script, iframe, object, embed, form, base, meta, link, style, img, video, audio, input, [href], [src], [onerror], [onclick], [onload]')).toBeNull()
      unmount()
    }
    expect((window as { pwned?: unknown }).pwned).toBeUndefined()
  })
})
