import { describe, expect, it } from 'vitest'
import { row } from '../testing/make'
import { groupOf, Rows } from './rows.svelte'

describe('groupOf', () => {
  it.each([
    ['failed', 'idle', 'needs_you'],
    ['needs_you', 'idle', 'needs_you'],
    ['running', 'asks', 'needs_you'],
    ['running', 'quiet', 'running'],
    ['waiting', 'idle', 'waiting'],
    ['done', 'idle', 'done'],
  ] as const)('puts %s, %s under %s', (state, phase, group) => expect(groupOf(row({ state, phase }))).toBe(group))
})

describe('Rows', () => {
  const list = (...rows: ReturnType<typeof row>[]) => {
    const r = new Rows()
    r.reset({ rows, agents: [], looked: true, batch: 0, trouble: null, stopped: false })
    return r
  }

  it('keeps the place of a running task while it works', () => {
    const a = row({ task: 'a', state: 'running', phase: 'working', started: 2, updated: 10 })
    const b = row({ task: 'b', state: 'running', phase: 'working', started: 1, updated: 20 })
    const r = list(a, b)
    expect(r.grouped.running.map((x) => x.task)).toEqual(['a', 'b'])
    r.apply([{ ...b, updated: 99 }], [], false)
    expect(r.grouped.running.map((x) => x.task)).toEqual(['a', 'b'])
  })

  it('filters by title, agent and folder', () => {
    const r = list(row({ task: 'a', title: 'Écrire' }), row({ task: 'b', title: 'x', name: 'Codex' }), row({ task: 'c', title: 'y', dir: '/src/écrin' }))
    r.filter = 'écri'
    expect(r.ordered.map((x) => x.task).sort()).toEqual(['a', 'c'])
    r.filter = 'codex'
    expect(r.ordered.map((x) => x.task)).toEqual(['b'])
  })

  it('holds a thousand tasks', () => {
    const r = list(...Array.from({ length: 1000 }, (_, i) => row({ task: `t${i}`, updated: i })))
    expect(r.ordered).toHaveLength(1000)
    expect(r.ordered[0]?.task).toBe('t999')
  })
})
