import { describe, expect, it } from 'vitest'
import { asCallError, onBatch, reachable, tasks } from './bridge'
import { FakeCore, refuse } from './testing/fakecore'

describe('a rejected call', () => {
  it.each([
    ['an Error with JSON', refuse('refused.not_open', { a: 'b' }), 'refused.not_open', { a: 'b' }, ''],
    ['a string with JSON', '{"key":"hint.history_io","args":{"dir":"/x"}}', 'hint.history_io', { dir: '/x' }, ''],
    ['JSON without arguments', '{"key":"refused.not_open"}', 'refused.not_open', {}, ''],
    ['any other text', 'panic: <b>x</b>', 'ui.error.unknown', {}, 'panic: <b>x</b>'],
    ['JSON of another kind', '[1,2]', 'ui.error.unknown', {}, '[1,2]'],
    ['an object', { code: 4 }, 'ui.error.unknown', {}, '[object Object]'],
    ['a network error', new TypeError('Failed to fetch'), 'ui.error.unknown', {}, 'Failed to fetch'],
  ])('that is %s is told by key', (_name, reason, key, args, raw) => {
    const e = asCallError(reason)
    expect([e.key, e.args, e.raw]).toEqual([key, args, raw])
  })

  it('keeps no more raw text than a sheet can hold', () => {
    expect(asCallError('x'.repeat(1_000_000)).raw).toHaveLength(4096)
  })
})

describe('the bridge', () => {
  it('says that nothing is behind the page', async () => {
    delete window.go
    delete window.runtime
    expect(reachable()).toBe(false)
    await expect(tasks.list(false)).rejects.toMatchObject({ key: 'ui.error.unreachable' })
  })

  it('fills in the lists that Go leaves null', async () => {
    window.go = { window: { Tasks: { List: () => Promise.resolve({ rows: null, agents: null, looked: true, batch: 3, trouble: null }), Files: () => Promise.resolve(null) } } }
    expect(await tasks.list(false)).toEqual({ rows: [], agents: [], looked: true, batch: 3, trouble: null })
    expect(await tasks.files('s', '')).toEqual([])
  })

  it('fills in the lists inside a batch', () => {
    const core = new FakeCore().install()
    const heard: unknown[] = []
    const off = onBatch((b) => heard.push(b))
    core.emit({ of: 's', ops: [{ set: { seq: 1, blocks: null, plan: null, tool: { diffs: null, places: null } } as never }] })
    off()
    core.emit({ gone: ['t'] })
    expect(heard).toEqual([{ n: 1, of: 's', ops: [{ set: { seq: 1, blocks: [], plan: [], tool: { diffs: [], places: [] } } }] }])
  })
})
