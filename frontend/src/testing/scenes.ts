// Scenes for the page in a browser: each is a state of the app to look at.

import type { Part } from '../types'
import { FakeCore, refuse } from './fakecore'
import { hostile } from './hostile'
import * as make from './make'

const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3).slice(0, 200)

function talk(): Part[] {
  return [
    make.part(1, { kind: 'prompt', text: 'Replace the invoice counter with usage records, keep the old endpoint working.' }),
    make.part(2, { kind: 'thought', text: 'The counter is read in three places. I should look at the schema before I change anything, and see who calls the old endpoint.' }),
    make.part(3, {
      text: "I'll start with the schema, then write a backfill that can be stopped and resumed.\n\n1. Add `usage_records`\n2. Write to both for a while\n3. Read from the new table\n\n| table | rows | note |\n|:--|--:|:-:|\n| `invoice_counter` | 41,203 | kept |\n| `usage_records` | 0 | new |\n\nSee the [design note](https://docs.example.com/usage) first.\n\n```sql\nCREATE TABLE usage_records (\n  id         bigserial PRIMARY KEY,\n  account_id bigint NOT NULL,\n  units      integer NOT NULL CHECK (units >= 0)\n);\n```",
    }),
    make.part(4, {
      kind: 'plan',
      plan: [
        { content: 'Add the table and its indexes', status: 'completed', priority: 'high' },
        { content: 'Write a backfill that can be stopped and resumed', status: 'in_progress', priority: 'high' },
        { content: 'Read from the new table behind the old endpoint', status: 'pending', priority: 'medium' },
      ],
    }),
    make.part(5, { kind: 'tool', tool: make.tool({ id: 'c1', title: 'schema/usage.sql', kind: 'edit', took: 240, diffs: [make.diff({ path: '/home/ana/src/billing-service/schema/usage.sql', new: true, added: 42, removed: 3 })] }) }),
    make.part(6, { kind: 'tool', tool: make.tool({ id: 'c2', title: 'Run the schema tests', kind: 'execute', took: 6320, output: 'ok   billing/schema   4.211s\nok   billing/usage    2.004s', input: '{\n  "command": "go test ./..."\n}' }) }),
    make.part(7, { kind: 'tool', tool: make.tool({ id: 'c3', title: 'Look for callers of the old endpoint', kind: 'search', status: 'failed', took: 90, output: 'rg: unrecognised flag' }) }),
  ]
}

const options = [
  {
    id: 'model',
    category: 'model',
    name: 'Model',
    current: 'opencode-go/glm-5.1',
    choices: ['glm-5.1', 'kimi-k3', 'qwen4-coder', 'deepseek-v4', 'minimax-m3', 'gpt-6-mini', 'gemini-4-flash', 'claude-sonnet-6', 'mistral-large-4', 'llama-6', 'grok-5-code', 'phi-7'].map((m) => ({ value: `opencode-go/${m}`, name: m, description: '' })),
  },
  { id: 'mode', category: 'mode', name: 'Mode', current: 'build', choices: [{ value: 'build', name: 'Build', description: 'Changes files when you allow it' }, { value: 'plan', name: 'Plan', description: 'Reads only' }] },
]
const commands = [
  { name: 'review', description: 'Review the changes in the folder', hint: '' },
  { name: 'compact', description: 'Shorten the conversation', hint: '' },
  { name: 'init', description: 'Write AGENTS.md', hint: 'path' },
]
const going = (now: number, over = {}) => ({ generation: 1, started: now - 362_000, first: now - 360_800, ended: 0, outcome: '', stop: '', cancel: [], ...over })

/** A list with something in every group, and the first task open. */
const works = [
  { name: 'github.com/wailsapp/wails/v2', version: 'v2.15.0', licence: 'MIT' },
  { name: 'github.com/power-devops/perfstat', version: 'v0.0.0-20260805114148-88456608a4f6', licence: 'BSD-3-Clause AND MIT' },
  { name: 'svelte', version: '5.57.3', licence: 'MIT' },
].map((work) => ({ ...work, text: `MIT License\n\n${'Permission is hereby granted, free of charge, to any person obtaining a copy of this software. '.repeat(12)}` }))

function busy(core: FakeCore): FakeCore {
  core.works = works
  const now = Date.now()
  core.add(make.session({ row: make.row({ state: 'needs_you', detail: { key: 'failure.quota_limited' }, updated: now - 120_000 }), options, commands, cards: [make.card({ reset: now + 7_500_000, at: now - 60_000 })], takes: { known: true, images: true, embeds: true }, usage: { used: 41_000, size: 200_000, cost: 0.42, currency: 'USD' } }), talk())
  core.add(make.session({ row: make.row({ task: 't2', session: 's2', title: 'Tighten upload checks', agent: 'claude', name: 'Claude', state: 'running', phase: 'asks', detail: { key: 'ui.phase.asks' }, started: now - 540_000, updated: now - 540_000 }), asks: [make.ask()], turn: going(now), options, commands }), [make.part(1, { kind: 'prompt', text: 'Reject files over 20 MB before they are read, with a clear error.' }), make.part(2, { text: 'The limit belongs in the handler. I would change one file and then run its tests.' })])
  core.add(make.session({ row: make.row({ task: 't3', session: 's3', title: 'Rebuild search index', state: 'running', phase: 'quiet', detail: { key: 'notice.quiet', args: { tool: 'bash' } }, started: now - 1_860_000, updated: now - 360_000 }), turn: going(now), notice: { kind: 'quiet', phrase: { key: 'notice.quiet', args: { tool: 'bash' } }, at: now - 60_000, cancel: true } }), [make.part(1, { kind: 'prompt', text: 'Rebuild the search index.' }), make.part(2, { kind: 'tool', at: now - 362_000, tool: make.tool({ title: 'bash', kind: 'execute', status: 'in_progress', took: -1 }) })])
  core.add(make.session({ row: make.row({ task: 't4', session: 's4', title: 'Port date pickers', agent: 'codex', name: 'Codex', state: 'running', phase: 'working', detail: { key: 'ui.phase.working' }, started: now - 240_000, updated: now - 1000 }), turn: going(now), queue: [{ id: 'q1', text: 'Then update the screenshots in the docs', more: 0 }, { id: 'q2', text: 'And tell me what changed for users of the old picker, in one paragraph that I can paste into the release notes', more: 2 }] }), talk())
  core.add(make.session({ row: make.row({ task: 't5', session: 's5', title: 'Fix flaky import test', agent: 'gemini', name: 'Gemini', state: 'done', updated: now - 9_800_000 }) }), talk())
  core.add(make.session({ row: make.row({ task: 't6', session: 's6', title: 'Upgrade the parser', state: 'failed', detail: { key: 'outcome.never_started' }, updated: now - 18_000_000 }) }), talk())
  core.add(make.session({ row: make.row({ task: 't7', session: 's7', title: longWord, state: 'waiting', detail: { key: 'outcome.cancelled' }, updated: now - 19_000_000 }) }), [make.part(1, { kind: 'prompt', text: longWord }), make.part(2, { text: `A word that does not end: ${longWord}, and code \`${longWord}\`.` })])
  core.add(make.session({ row: make.row({ task: 't8', session: 's8', title: 'ترجمة صفحة الإعدادات', agent: 'qwen', name: 'Qwen', state: 'done', updated: now - 90_000_000 }) }), [make.part(1, { kind: 'prompt', text: 'ترجم صفحة الإعدادات إلى العربية، من فضلك.' }), make.part(2, { text: 'سأبدأ بالملف `settings.json` ثم أراجع النص.\n\n- أولا: العناوين\n- ثانيا: الأزرار\n\nThen an English paragraph with the name مرحبا inside it.' })])
  core.history = [...core.sessions.values()].map((s, i) => make.past({ task: s.row.task, session: s.row.session, title: s.row.title, agent: s.row.agent, started: now - i * 3_600_000, ended: now - i * 3_600_000 + 372_000, outcome: ['failed', '', '', '', 'completed', 'never_started', 'cancelled', 'ended_empty'][i] ?? 'completed', code: i === 0 ? 'quota_limited' : '' }))
  core.hits = [make.found()]
  return core
}

export const scenes: Record<string, () => FakeCore> = {
  first: () => new FakeCore(),
  looking: () => Object.assign(new FakeCore(), { looked: false }),
  busy: () => busy(new FakeCore()),
  many: () => {
    const core = busy(new FakeCore())
    const now = Date.now()
    const states = ['running', 'waiting', 'done', 'needs_you'] as const
    for (let i = 0; i < 1000; i++) {
      const state = states[i % 4]!
      core.add(make.session({ row: make.row({ task: `m${i}`, session: `ms${i}`, title: `Task number ${i + 1} of a long day`, state, phase: state === 'running' ? 'working' : 'idle', started: now - i * 1000, updated: now - i * 60_000 }) }), talk())
    }
    return core
  },
  long: () => {
    const core = busy(new FakeCore())
    core.parts.set('s1', Array.from({ length: 10_000 }, (_, i) => ({ ...talk()[i % 7]!, seq: i + 1, turn: 1 + Math.floor(i / 50) })))
    core.page = 10_000
    return core
  },
  pages: () => {
    const core = busy(new FakeCore())
    core.parts.set('s1', Array.from({ length: 900 }, (_, i) => ({ ...talk()[i % 7]!, seq: i + 1 })))
    return core
  },
  hostile: () => {
    const core = busy(new FakeCore())
    core.parts.set('s1', hostile.map(([name, text], i) => make.part(i + 1, { text: `**${name}**\n\n${text}` })))
    return core
  },
  huge: () => {
    const core = busy(new FakeCore())
    core.parts.set('s1', [make.part(1, { kind: 'prompt', text: 'Say a lot.' }), make.part(2, { text: 'A line of a very long message, with `code` and **weight**.\n\n'.repeat(85_000) }), make.part(3, { text: 'x'.repeat(300_000) })])
    return core
  },
  odd: () => {
    const core = busy(new FakeCore())
    core.add(make.session({ row: make.row({ state: 'running', phase: 'cancelling', started: Date.now() - 9000 }), turn: going(Date.now(), { cancel: [{ step: 'sent', at: Date.now() - 35_000 }, { step: 'escalated', at: Date.now() - 32_000 }] }), notice: { kind: 'not_stopped', phrase: { key: 'notice.not_stopped' }, at: Date.now(), cancel: false } }), [
      make.part(1, { kind: 'prompt', text: 'Look at this picture', blocks: [{ kind: 'image', name: 'dot.png', mime: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', uri: '' }, { kind: 'resource', name: 'notes.txt', mime: 'text/plain', data: '', uri: 'file:///x/notes.txt' }] }),
      make.part(2, { text: 'API Error: overloaded. Retrying…', marked: true }),
      make.part(3, { kind: 'other', raw: '{\n  "sessionUpdate": "hologram",\n  "x": 1\n}' }),
      make.part(4, { text: 'This came late.', late: true }),
      make.part(5, { kind: 'tool', tool: make.tool({ title: 'sleep', kind: 'execute', status: 'cancelled', took: 3000 }) }),
    ])
    core.trouble = { key: 'hint.history_disk_full', args: { dir: '/home/ana/.local/share/turnwatch' } }
    return core
  },
  // Auto-resume: announced in the first task, offered in t5, given up in t6.
  auto: () => {
    const core = busy(new FakeCore())
    const now = Date.now()
    const marked = make.part(20, { turn: 2, kind: 'prompt', at: now - 60_000, text: 'You said what you would do next, but did not do it. Do it now.', auto: { kind: 'action_intent', count: 1 } })
    core.change('s1', { cards: [], row: make.row({ state: 'done', detail: { key: 'row.auto', args: { time: String(now + 8500) } }, updated: now - 20_000 }), auto: make.auto({ folder: 'safe', now: 'safe', soon: make.soon(8500) }) })
    core.say('s1', marked, make.part(21, { turn: 2, text: 'The counters are moved. Next I will write the tests for the backfill:' }))
    core.change('s5', { auto: make.auto({ choice: 'notify', folder: 'safe', now: 'notify', said: { act: 'notice', kind: 'todo_reminder', what: { key: 'auto.kind_todo_reminder' }, why: { key: 'auto.rule_idle' } } }) })
    core.change('s6', { auto: make.auto({ choice: 'full', now: 'full', said: { act: 'give_up', kind: '', what: { key: 'auto.gave_up' }, why: { key: 'auto.rule_ceiling', args: { figure: '12' } } } }) })
    core.ledger = [
      make.autoRow(9, { at: now - 4000, act: 'announce', row: 4, count: 0 }),
      make.autoRow(8, { task: 't6', session: 's6', at: now - 60_000, act: 'give_up', row: 3, count: 0, what: { key: 'auto.gave_up' }, why: { key: 'auto.rule_ceiling', args: { figure: '12' } } }),
      make.autoRow(7, { at: now - 61_000, act: 'outcome', row: 0, of: 2, count: 0, what: { key: 'auto.outcome_answered' }, why: { key: '' } }),
      make.autoRow(6, { at: now - 62_000, act: 'outcome', row: 0, of: 2, count: 0, what: { key: 'auto.outcome_accepted' }, why: { key: '' } }),
      make.autoRow(5, { at: now - 63_000, act: 'prompt', row: 2 }),
      make.autoRow(4, { at: now - 73_000, act: 'announce', row: 1, count: 0 }),
      make.autoRow(3, { task: 'gone', session: 'gone', at: now - 90_000_000, act: 'cancel', row: 9, count: 0, what: { key: 'auto.cancel' }, why: { key: 'auto.rule_stall', args: { silent_ms: '184000' } } }),
      make.autoRow(2, { task: 't5', session: 's5', at: now - 91_000_000, act: 'withdraw', row: 0, of: 7, count: 0, what: { key: 'auto.withdrawn' }, why: { key: '' } }),
      make.autoRow(1, { task: 't5', session: 's5', at: now - 91_003_000, act: 'announce', row: 7, count: 0, what: { key: 'auto.cancel_then' }, why: { key: 'auto.rule_tool_loop' } }),
    ]
    return core
  },
  broken: () => {
    const core = new FakeCore()
    core.otherwise.set('Tasks.List', () => {
      throw refuse('hint.history_too_new', { dir: '/home/ana/.local/share/turnwatch', have: '9', know: '3' })
    })
    return core
  },
  stream: () => {
    const core = busy(new FakeCore())
    const now = Date.now()
    core.parts.set('s4', Array.from({ length: 10_000 }, (_, i) => ({ ...talk()[i % 7]!, seq: i + 1 })))
    core.page = 10_000
    core.change('s4', { turn: going(now) })
    let i = 0
    setInterval(() => {
      if (i % 300 === 0) core.say('s4', make.part(10_001 + i / 300, { at: Date.now() }))
      core.grow('s4', i % 40 === 39 ? '\n\n' : `word${i} `)
      i++
    }, 33)
    return core
  },
}
