// View values with everything filled in, for tests and for the page in a browser.

import type { Agent, Ask, Auto, AutoPrefs, AutoRow, AutoSoon, Card, Diff, Found, Part, Past, Row, Session, Tool, Vitals } from '../types'

export const now = Date.parse('2026-03-14T14:03:08Z')

export function row(over: Partial<Row> = {}): Row {
  return {
    task: 't1',
    session: 's1',
    title: 'Move billing to usage records',
    agent: 'opencode',
    name: 'OpenCode',
    dir: '/home/ana/src/billing-service',
    state: 'done',
    phase: 'idle',
    detail: { key: '' },
    queued: 0,
    started: 0,
    updated: now - 120_000,
    away: false,
    again: null,
    ...over,
  }
}

export function session(over: Partial<Session> = {}): Session {
  return {
    row: row(),
    options: [],
    commands: [],
    queue: [],
    held: false,
    asks: [],
    cards: [],
    notice: null,
    turn: { generation: 1, started: now - 400_000, first: now - 398_800, ended: now - 120_000, outcome: 'completed', stop: 'end_turn', cancel: [] },
    usage: { used: 0, size: 0, cost: 0, currency: '' },
    takes: { known: true, images: false, embeds: false },
    auto: auto(),
    ...over,
  }
}

export function auto(over: Partial<Auto> = {}): Auto {
  return { choice: '', folder: '', now: 'off', soon: null, said: null, ...over }
}

/** What auto-resume announces, so many ms from now. */
export function soon(ms: number): AutoSoon {
  return { what: { key: 'auto.kind_action_intent' }, why: { key: 'auto.rule_idle' }, due: Date.now() + ms }
}

export function autoPrefs(over: Partial<AutoPrefs> = {}): AutoPrefs {
  return {
    stopped: false,
    folders: [{ dir: '/home/ana/src/billing-service', choice: 'safe' }],
    numbers: [
      { name: 'chunkTimeoutMs', value: 177_000, usual: 177_000, min: 1000, max: 3_600_000, reason: '' },
      { name: 'countdownMs', value: 5000, usual: 10_000, min: 0, max: 600_000, reason: '' },
      { name: 'windowBudget', value: 6, usual: 6, min: 1, max: 50, reason: '' },
    ],
    marks: [{ name: 'resumeOnActionIntent', on: true }, { name: 'resumeOnMaxTokens', on: false }, { name: 'toolLoop', on: true }],
    words: [
      { kind: 'continue', name: 'continuePrompt', text: 'Go on, please.', usual: 'You stopped in the middle. Go on from where you were.' },
      { kind: 'action_intent', name: 'actionIntentPrompt', text: 'You said what you would do next, but did not do it. Do it now.', usual: 'You said what you would do next, but did not do it. Do it now.' },
    ],
    ...over,
  }
}

/** A row of the ledger. */
export function autoRow(id: number, over: Partial<AutoRow> = {}): AutoRow {
  return { id, task: 't1', session: 's1', turn: 3, at: now - 100_000 + id * 1000, row: id, of: 0, act: 'prompt', what: { key: 'auto.kind_action_intent' }, why: { key: 'auto.rule_idle' }, count: 1, ...over }
}

export function part(seq: number, over: Partial<Part> = {}): Part {
  return {
    seq,
    turn: 1,
    kind: 'text',
    key: '',
    at: now - 300_000 + seq * 1000,
    text: '',
    blocks: [],
    tool: null,
    plan: [],
    raw: '',
    late: false,
    marked: false,
    try: 0,
    auto: null,
    ...over,
  }
}

export function tool(over: Partial<Tool> = {}): Tool {
  return { id: 'c1', title: 'schema/usage.sql', name: 'edit', kind: 'edit', status: 'completed', took: 240, output: '', input: '', diffs: [], places: [], cut: false, ...over }
}

export function diff(over: Partial<Diff> = {}): Diff {
  return {
    path: '/home/ana/src/billing-service/upload/handler.go',
    new: false,
    added: 2,
    removed: 1,
    hunks: [
      {
        old: 41,
        new: 41,
        lines: [
          { op: ' ', text: 'func (h *Handler) Upload(w http.ResponseWriter, r *http.Request) {' },
          { op: '-', text: '\tbody, err := io.ReadAll(r.Body)' },
          { op: '+', text: '\tr.Body = http.MaxBytesReader(w, r.Body, maxUpload)' },
          { op: '+', text: '\tbody, err := io.ReadAll(r.Body)' },
          { op: ' ', text: '\tif err != nil {' },
        ],
      },
    ],
    ...over,
  }
}

export function ask(over: Partial<Ask> = {}): Ask {
  return {
    id: 'a1',
    heading: { key: 'ask.permission', args: { agent: 'Claude', kind: 'edit' } },
    tool: tool({ title: 'upload/handler.go', status: 'pending', took: -1, diffs: [diff()] }),
    options: [
      { id: 'once', name: 'Allow once', kind: 'allow_once' },
      { id: 'always', name: 'Allow for this session', kind: 'allow_always' },
      { id: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    inside: true,
    ...over,
  }
}

export function card(over: Partial<Card> = {}): Card {
  return {
    id: 7,
    turn: 1,
    code: 'quota_limited',
    tone: 'need',
    heading: { key: 'failure.quota_limited', args: { model: 'glm-5.1' } },
    guidance: { key: 'card.quota_until', args: { agent: 'OpenCode', reset: String(now + 7_500_000) } },
    later: { key: 'card.quota_back', args: { agent: 'OpenCode', reset: String(now + 7_500_000) } },
    note: { key: 'card.no_retry' },
    details: [
      { label: { key: 'card.detail_message' }, text: '5-hour usage limit reached. It will reset in 2 hours 7 minutes.' },
      { label: { key: 'card.detail_provider' }, text: 'opencode-go' },
      { label: { key: 'card.detail_model' }, text: 'glm-5.1' },
      { label: { key: 'card.detail_time' }, text: String(now - 60_000) },
      { label: { key: 'card.detail_rule' }, text: 'opencode.limit' },
    ],
    why: { key: 'card.why_stderr', args: { agent: 'OpenCode', rule: 'opencode.limit', time: String(now - 60_000) } },
    actions: ['link', 'resume', 'start_fresh', 'send_again', 'switch_model', 'dismiss'],
    link_host: 'opencode.ai',
    login: '',
    at: now - 60_000,
    reset: now + 7_500_000,
    again: null,
    ...over,
  }
}

export const agents: Agent[] = [
  { kind: 'opencode', name: 'OpenCode', version: '1.18.33', line: 'opencode acp --print-logs --log-level ERROR', ready: true, hint: { key: '' }, built_in: false },
  {
    kind: 'claude',
    name: 'Claude',
    version: '0.101',
    line: 'claude-agent-acp',
    ready: false,
    hint: { key: 'hint.command_not_found', args: { program: 'claude-agent-acp', install: 'npm install -g @zed-industries/claude-agent-acp' } },
    built_in: false,
  },
  { kind: 'demo', name: 'Demo agent', version: '', line: 'tw demo-agent', ready: true, hint: { key: '' }, built_in: true },
]

export function past(over: Partial<Past> = {}): Past {
  return {
    task: 't1',
    session: 's1',
    title: 'Move billing to usage records',
    agent: 'opencode',
    turn: 1,
    prompt: 'Replace the invoice counter with usage records',
    started: now - 1_800_000,
    ended: now - 1_200_000,
    outcome: 'completed',
    code: '',
    ...over,
  }
}

export function vitals(over: Partial<Vitals> = {}): Vitals {
  const at = Date.now()
  const counts = [1, 0, 3, 5, 2, 0, 0, 4, 9, 6, 2, 1, 0, 3, 2, ...Array.from({ length: 90 }, () => 0)]
  return {
    at, turn: 1, sent: at - 420_000, first: at - 418_800, last: at - 362_000, quiet: at - 362_000, ended: 0,
    strip: { step: 4000, counts },
    tree: {
      at, known: true, busy: true, halted: false, memory: 600_000_000, more: 0,
      list: [
        { pid: 10, depth: 0, name: 'opencode', cpu: 0.01, memory: 412_000_000, halted: false },
        { pid: 11, depth: 1, name: 'bash', cpu: 0, memory: 3_400_000, halted: false },
        { pid: 12, depth: 2, name: 'node', cpu: 0.96, memory: 188_000_000, halted: false },
      ],
    },
    earlier: { key: 'vitals.earlier', args: { Count: '41', tool: 'bash', longest_ms: '720000' } },
    ...over,
  }
}

export function found(over: Partial<Found> = {}): Found {
  return { task: 't1', title: '', session: 's1', turn: 1, seq: 2, kind: 'text', at: now, snippet: [{ text: 'the ', match: false }, { text: 'schema', match: true }], ...over }
}
