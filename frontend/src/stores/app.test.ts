import * as place from './place'
import { flushSync } from 'svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeCore, refuse } from '../testing/fakecore'
import * as make from '../testing/make'
import { App } from './app.svelte'

function rig(fill: (core: FakeCore) => void = () => undefined) {
  place.reset()
  const core = new FakeCore()
  core.add(make.session(), [make.part(1, { kind: 'prompt', text: 'hello' }), make.part(2, { text: 'ab' })])
  core.add(make.session({ row: make.row({ task: 't2', session: 's2', title: 'Second', state: 'running', phase: 'working', started: make.now }) }), [make.part(1, { text: 'other' })])
  fill(core)
  core.install()
  const frames: (() => void)[] = []
  const app = new App({ ask: (run) => frames.push(run) })
  const frame = () => flushSync(() => frames.splice(0).forEach((run) => run()))
  return { core, app, frame }
}
const settle = () => new Promise((done) => setTimeout(done))

describe('App', () => {
  let r: ReturnType<typeof rig>
  beforeEach(async () => {
    r = rig()
    await r.app.start()
  })

  it('lists by need', () => {
    expect(r.app.rows.grouped.running.map((x) => x.task)).toEqual(['t2'])
    expect(r.app.rows.grouped.done.map((x) => x.task)).toEqual(['t1'])
    expect(r.app.rows.ordered.map((x) => x.task)).toEqual(['t2', 't1'])
  })

  it('shows what a batch changes with the next frame', () => {
    r.core.change('s2', { row: { ...r.core.rows.get('t2')!, title: 'New name' } })
    expect(r.app.rows.get('t2')?.title).toBe('Second')
    r.frame()
    expect(r.app.rows.get('t2')?.title).toBe('New name')
  })

  it('streams into the open task and into no other', async () => {
    await r.app.openTask('t1')
    r.core.grow('s1', 'cd')
    r.core.say('s2', make.part(2, { text: 'elsewhere' }))
    r.core.say('s1', make.part(3, { text: 'more' }))
    r.frame()
    expect(r.app.open.transcript.items.map((i) => i.part.text)).toEqual(['hello', 'abcd', 'more'])
  })

  it('asks for everything anew after a gap, and loses nothing', async () => {
    await r.app.openTask('t1')
    r.core.parts.get('s1')!.push(make.part(3, { text: 'lost on the way' }))
    r.core.emit({ gone: ['t2'] }, 9)
    r.core.rows.delete('t2')
    r.frame()
    await settle()
    r.frame()
    expect(r.core.asked('Tasks.List')).toHaveLength(2)
    expect(r.app.open.transcript.items.map((i) => i.part.text)).toEqual(['hello', 'ab', 'lost on the way'])
    expect(r.app.rows.get('t2')).toBeUndefined()
  })

  it('asks for the transcript anew when an operation was lost', async () => {
    await r.app.openTask('t1')
    r.core.parts.set('s1', [make.part(1, { kind: 'prompt', text: 'hello' }), make.part(2, { text: 'abcdef' })])
    r.core.emit({ of: 's1', ops: [{ seq: 2, offset: 4, add: 'ef' }] })
    r.frame()
    await settle()
    expect(r.core.asked('Tasks.Open')).toHaveLength(2)
    expect(r.app.open.transcript.items[1]?.part.text).toBe('abcdef')
  })

  it('does not let an older session overwrite what Open gave', async () => {
    const old = r.core.sessions.get('s1')!
    r.core.open = 's1'
    r.core.change('s1', { held: false })
    r.core.sessions.set('s1', { ...old, held: true })
    await r.app.openTask('t1')
    r.frame()
    expect(r.app.open.session?.held).toBe(true)
  })

  it('drops the answer to a task that was left for another', async () => {
    const slow = r.app.openTask('t1')
    const fast = r.app.openTask('t2')
    await Promise.all([slow, fast])
    expect(r.app.open.id).toBe('s2')
    expect(r.app.open.transcript.items.map((i) => i.part.text)).toEqual(['other'])
  })

  it('fetches what stands before, page by page', async () => {
    r.core.parts.set('s1', Array.from({ length: 450 }, (_, i) => make.part(i + 1)))
    await r.app.openTask('t1')
    expect(r.app.open.transcript.items[0]?.seq).toBe(251)
    expect(await r.app.open.more()).toBe(true)
    expect(await r.app.open.more()).toBe(true)
    expect(r.app.open.transcript.items).toHaveLength(450)
    expect(r.app.open.transcript.complete).toBe(true)
    expect(await r.app.open.more()).toBe(false)
  })

  it('takes up the task that was open before a reload', async () => {
    await r.app.openTask('t2')
    const again = new App({ ask: () => undefined })
    await again.start()
    expect(again.open.id).toBe('s2')
  })

  it('shows and hides trouble with the history', () => {
    r.core.emit({ health: { key: 'hint.history_disk_full', args: { dir: '/d' } } })
    r.frame()
    expect(r.app.health?.key).toBe('hint.history_disk_full')
    r.core.emit({ health: { key: '' } })
    r.frame()
    expect(r.app.health).toBeNull()
  })

  it('moves a task that is archived out of the list', async () => {
    r.core.emit({ rows: [make.row({ away: true })] })
    r.frame()
    expect(r.app.rows.get('t1')).toBeUndefined()
  })

  it('says why nothing can be shown, and starts when asked again', async () => {
    const bad = rig((core) =>
      core.otherwise.set('Tasks.List', () => {
        throw refuse('hint.history_damaged', { dir: '/d' })
      }),
    )
    await bad.app.start()
    expect(bad.app.error?.key).toBe('hint.history_damaged')
    expect(bad.app.loaded).toBe(false)
    bad.core.otherwise.clear()
    await bad.app.load()
    expect(bad.app.error).toBeNull()
    expect(bad.app.rows.all).toHaveLength(2)
  })

  it('steps through the list as it is seen', async () => {
    r.app.step(1)
    await settle()
    expect(r.app.open.task).toBe('t2')
    r.app.step(1)
    await settle()
    expect(r.app.open.task).toBe('t1')
    r.app.step(1)
    await settle()
    expect(r.app.open.task).toBe('t1')
  })
})

describe('while an answer is on its way', () => {
  it('keeps what the batches say meanwhile', async () => {
    const r = rig()
    await r.app.start()
    let answer: (o: unknown) => void = () => undefined
    const held = new Promise((done) => (answer = done))
    r.core.otherwise.set('Tasks.Open', () => held)
    const opening = r.app.openTask('t1')
    await settle()
    const opened = { session: r.core.sessions.get('s1'), sessions: [], page: { parts: [make.part(1, { text: 'a' })], first: true }, batch: r.core.n }
    r.core.emit({ of: 's1', ops: [{ seq: 1, offset: 1, add: 'b' }] })
    r.core.emit({ of: 's1', ops: [{ set: make.part(2, { text: 'c' }) }] })
    r.frame()
    answer(opened)
    await opening
    expect(r.app.open.transcript.items.map((i) => i.part.text)).toEqual(['ab', 'c'])
  })

  it('hears of agents when the first look is over', async () => {
    let over: () => void = () => undefined
    const looking = new Promise<void>((done) => (over = done))
    const r = rig((core) => {
      core.looked = false
      core.otherwise.set('Settings.Agents', () => looking.then(() => make.agents))
    })
    await r.app.start()
    expect(r.app.rows.agents).toEqual([])
    over()
    await settle()
    expect(r.app.rows.agents.map((a) => a.kind)).toEqual(['opencode', 'claude', 'demo'])
    expect(r.app.rows.looked).toBe(true)
  })
})
