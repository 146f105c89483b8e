import { beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../types'
import { FakeCore } from '../testing/fakecore'
import * as make from '../testing/make'
import { drafts } from './drafts.svelte'
import { First } from './first.svelte'
import { other, Starter } from './starter.svelte'
import { toasts } from './toasts.svelte'

const dot = { name: 'dot.png', mime: 'image/png', data: 'AAAA' }
const note = { name: 'note.txt', mime: 'text/plain', data: 'AAAA' }

describe('the first prompt with files', () => {
  let core: FakeCore
  let first: First
  let n = 0
  let id = ''
  const at = (over: Partial<Session> = {}, row = {}) => make.session({ row: make.row({ session: id, state: 'waiting', ...row }), ...over })
  beforeEach(() => {
    core = new FakeCore().install()
    id = `first${++n}`
    core.add(at())
    toasts.list = []
    first = new First()
    first.keep(id, 'look', [dot])
  })

  it('waits while the agent starts, and is sent once when it takes it', async () => {
    await first.follow(at({ takes: { known: false, images: false, embeds: false } }))
    expect(core.asked('Tasks.Send')).toEqual([])
    expect([drafts.of(id).text, drafts.of(id).blobs]).toEqual(['look', [dot]])
    await first.follow(at({ takes: { known: true, images: true, embeds: false } }))
    await first.follow(at({ takes: { known: true, images: true, embeds: false } }))
    expect(core.asked('Tasks.Send')).toEqual([[id, { text: 'look', files: [], blobs: [dot] }]])
    expect(drafts.of(id).empty).toBe(true)
  })

  it.each([
    ['an image', dot, 'This agent takes no images: dot.png The prompt was not sent.'],
    ['another file', note, /^This agent takes no such files: note.txt.* The prompt was not sent\.$/],
  ])('stays in the composer where the agent does not take %s, and says so', async (_name, blob, said) => {
    first.keep(id, 'look', [blob])
    await first.follow(at())
    expect(core.asked('Tasks.Send')).toEqual([])
    expect(toasts.list.map((t) => t.text)).toEqual([expect.stringMatching(said)])
    expect(drafts.of(id).text).toBe('look')
  })

  it('is the reader’s own once they changed it', async () => {
    drafts.of(id).text = 'look again'
    await first.follow(at({ takes: { known: true, images: true, embeds: true } }))
    expect(core.asked('Tasks.Send')).toEqual([])
  })

  it('stays where the agent did not start', async () => {
    await first.follow(at({ cards: [make.card()] }))
    expect(core.asked('Tasks.Send')).toEqual([])
    expect(toasts.list).toEqual([])
  })

  it('has nothing to do with another session', async () => {
    await first.follow(make.session({ takes: { known: true, images: true, embeds: true } }))
    expect(core.asked('Tasks.Send')).toEqual([])
  })
})

describe('the form for a new task', () => {
  const agents = make.agents.filter((a) => a.ready)
  it.each([
    ['no agent', [], { dir: '/x', text: 'y' }, 'ui.start.need_agent'],
    ['no command', agents, { agent: other, dir: '/x', text: 'y' }, 'ui.start.need_command'],
    ['no folder', agents, { text: 'y' }, 'ui.start.need_folder'],
    ['no prompt', agents, { dir: '/x', text: ' ' }, 'ui.start.need_prompt'],
    ['nothing', agents, { dir: '/x', text: 'y' }, ''],
  ])('says what is missing: %s', (_name, list, values, want) => {
    const form = Object.assign(new Starter(), values)
    expect(form.missing(list)).toBe(want)
    expect(form.ready(list)).toBe(want === '')
  })
})
