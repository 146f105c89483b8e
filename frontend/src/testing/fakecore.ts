// A core in the page, for tests and for a browser: it answers every call of the
// bridge and emits batches, counted as the real one counts them. It has no rules
// of its own: a test or a scene says what happens.

import type { Agent, AutoChoice, AutoPrefs, AutoRow, Batch, Changes, Check, Desktop, Draft, Folder, Found, List, NewTask, Opened, Page, Part, Past, Phrase, Prefs, Row, Session, Vitals, Work } from '../types'
import * as make from './make'

export interface Call { part: string; name: string; args: unknown[] }
type Answer = (...args: never[]) => unknown

export class FakeCore {
  rows = new Map<string, Row>()
  sessions = new Map<string, Session>()
  parts = new Map<string, Part[]>()
  agents: Agent[] = make.agents
  looked = true
  trouble: Phrase | null = null
  folder: Omit<Folder, 'dir'> = { trusted: false, git: true, others: [] }
  files: string[] = ['README.md', 'schema/usage.sql', 'src/billing/counter.ts', 'src/billing/records.ts']
  history: Past[] = []
  hits: Found[] = []
  works: (Work & { text: string })[] = []
  changes: Changes = { files: [make.diff()], from: 'git', note: { key: '' }, cut: false }
  vitals: () => Vitals = () => make.vitals()
  prompts: string[] = ['Add a test for the backfill', 'Fix the flaky import test']
  prefs: Prefs = { theme: 'system', language: '', trusted: ['/home/me/atlas-web'], keep: { days: 180, mib: 2048, purge: 1, idle: 10 }, commands: ['my-agent --acp'], file: '/home/ana/.local/share/turnwatch/settings.json', trouble: null }
  desktop: Desktop = {
    tray: true, awake: false, autostart: false,
    notify: { asks: true, limited: true, failed: true, never_started: true, capacity_back: true, finished: true, quiet_from: '', quiet_to: '' },
  }
  checks: Check[] = [
    { name: 'agents', state: 'ok', what: { key: 'check.agents_found', args: { agents: 'OpenCode 1.2.3, Claude 0.9' } } },
    { name: 'tray', state: 'note', what: { key: 'check.tray_none' } },
  ]
  auto: AutoPrefs = make.autoPrefs()
  /** Of auto-resume, newest first. */
  ledger: AutoRow[] = []
  /** What is to be shown; emit by show(). */
  wanted = ''
  show: () => void = () => undefined
  words: Record<string, unknown> = {}
  clipboard = ''
  kept = ''
  /** Every call that came, in order. */
  readonly calls: Call[] = []
  /** Calls that are answered otherwise: "Tasks.Send" → what to do. */
  readonly otherwise = new Map<string, Answer>()
  page = 200
  n = 0
  open = ''
  #hear: ((batch: unknown) => void) | null = null
  #away = new Map<string, Row>()

  /** Puts itself where the bridge looks. */
  install(target: Window = window): this {
    target.go = { window: { Tasks: this.#bind('Tasks', this.#tasks), History: this.#bind('History', this.#history), Settings: this.#bind('Settings', this.#settings) } }
    target.runtime = {
      EventsOn: (name, hear) => {
        if (name === 'show') {
          this.show = hear
          return () => undefined
        }
        this.#hear = hear
        return () => (this.#hear = null)
      },
      ClipboardSetText: (text) => {
        this.clipboard = text
        return Promise.resolve(true)
      },
    }
    return this
  }

  /** Emits a batch, as JSON would carry it. */
  emit(batch: Omit<Batch, 'n'>, n = ++this.n): void {
    this.n = n
    this.#hear?.(structuredClone({ n, ...batch }))
  }

  add(session: Session, parts: Part[] = []): this {
    this.rows.set(session.row.task, session.row)
    this.sessions.set(session.row.session, session)
    this.parts.set(session.row.session, parts)
    return this
  }

  /** Changes a session and tells the page. */
  change(id: string, over: Partial<Session>): void {
    const session = { ...this.sessions.get(id)!, ...over }
    this.sessions.set(id, session)
    this.rows.set(session.row.task, session.row)
    this.emit({ rows: [session.row], session: this.open === id ? session : undefined })
  }

  /** Adds parts to a transcript, or text to the last one, and tells the page. */
  say(id: string, ...parts: Part[]): void {
    this.parts.get(id)!.push(...parts)
    if (this.open === id) this.emit({ of: id, ops: parts.map((set) => ({ set })) })
  }
  grow(id: string, text: string): void {
    const list = this.parts.get(id)!
    const last = list.at(-1)!
    const offset = new TextEncoder().encode(last.text).length
    list[list.length - 1] = { ...last, text: last.text + text }
    if (this.open === id) this.emit({ of: id, ops: [{ seq: last.seq, offset, add: text }] })
  }

  asked(name: string): unknown[][] {
    return this.calls.filter((c) => `${c.part}.${c.name}` === name).map((c) => c.args)
  }

  #bind(part: string, answers: Record<string, Answer>): Record<string, (...args: unknown[]) => Promise<unknown>> {
    const bound: Record<string, (...args: unknown[]) => Promise<unknown>> = {}
    for (const [name, answer] of Object.entries(answers)) {
      bound[name] = async (...args) => {
        this.calls.push({ part, name, args })
        const other = this.otherwise.get(`${part}.${name}`) as ((...a: unknown[]) => unknown) | undefined
        const value = await (other ?? (answer as (...a: unknown[]) => unknown))(...args)
        return value === undefined ? null : structuredClone(value)
      }
    }
    return bound
  }

  #opened(id: string): Opened {
    const session = this.sessions.get(id)
    if (!session) throw refuse('ui.error.unknown')
    this.open = id
    const parts = this.parts.get(id) ?? []
    const page = { parts: parts.slice(-this.page), first: parts.length <= this.page }
    const sessions = [...this.sessions.values()]
      .filter((s) => s.row.task === session.row.task)
      .map((s) => ({ session: s.row.session, title: '', started: s.turn.started, turns: s.turn.generation }))
    return { session, sessions, page, batch: this.n }
  }

  #update(id: string, change: (s: Session) => Partial<Session>): void {
    const session = this.sessions.get(id)
    if (!session) throw refuse('refused.not_open')
    this.change(id, change(session))
  }

  readonly #tasks: Record<string, Answer> = {
    Attend: () => undefined,
    Asked: () => {
      const task = this.wanted
      this.wanted = ''
      return task
    },
    List: (archived: boolean): List => ({
      rows: archived ? [...this.#away.values()] : [...this.rows.values()],
      agents: this.looked ? this.agents : [],
      looked: this.looked,
      batch: this.n,
      trouble: this.trouble,
      stopped: this.auto.stopped,
    }),
    Open: (task: string, session: string) => this.#opened(session || this.rows.get(task)?.session || ''),
    Leave: () => void (this.open = ''),
    Earlier: (id: string, before: number): Page => {
      const all = (this.parts.get(id) ?? []).filter((p) => p.seq < before)
      return { parts: all.slice(-this.page), first: all.length <= this.page }
    },
    Part: (id: string, seq: number) => this.parts.get(id)?.find((p) => p.seq === seq),
    New: (n: NewTask): Row => {
      const id = `new${this.rows.size + 1}`
      const row = make.row({ task: id, session: `${id}-s`, title: n.draft.text.split('\n')[0], agent: n.agent, name: this.agents.find((a) => a.kind === n.agent)?.name ?? n.command, dir: n.dir, state: 'running', phase: 'opening', started: Date.now(), updated: Date.now() })
      this.add(make.session({ row, turn: { generation: 1, started: Date.now(), first: 0, ended: 0, outcome: '', stop: '', cancel: [] } }), [make.part(1, { kind: 'prompt', text: n.draft.text })])
      return row
    },
    Folder: (dir: string): Folder => {
      if (!dir.startsWith('/')) throw refuse('hint.folder_missing')
      return { dir, ...this.folder }
    },
    Trust: () => void (this.folder = { ...this.folder, trusted: true }),
    PickFolder: () => '/home/ana/src/billing-service',
    Send: (id: string, d: Draft) =>
      this.#update(id, (s) => {
        if (s.row.state !== 'running') return { row: { ...s.row, state: 'running', phase: 'working', started: Date.now() }, cards: [] }
        return { queue: [...s.queue, { id: `q${s.queue.length + 1}`, text: d.text, more: d.blobs.length }] }
      }),
    EditQueued: (id: string, q: string, text: string) => this.#update(id, (s) => ({ queue: s.queue.map((x) => (x.id === q ? { ...x, text } : x)) })),
    RemoveQueued: (id: string, q: string) => this.#update(id, (s) => ({ queue: s.queue.filter((x) => x.id !== q) })),
    Release: (id: string) => this.#update(id, () => ({ held: false, queue: [] })),
    Cancel: (id: string) => this.#update(id, (s) => ({ row: { ...s.row, phase: 'cancelling' } })),
    ChooseAuto: (id: string, choice: AutoChoice) => this.#update(id, (s) => ({ auto: { ...s.auto, choice, now: choice || s.auto.folder || 'off', soon: null } })),
    Typing: (id: string) => this.#update(id, (s) => ({ auto: { ...s.auto, soon: null } })),
    DismissAuto: (id: string) => this.#update(id, (s) => ({ auto: { ...s.auto, soon: null } })),
    SendAuto: (id: string) => this.#update(id, (s) => ({ auto: { ...s.auto, said: null }, row: { ...s.row, state: 'running', phase: 'working' } })),
    Ledger: (id: string, before: number) => this.ledger.filter((r) => (id === '' || r.session === id) && (before === 0 || r.id < before)).slice(0, 100),
    Decide: (id: string, ask: string) => this.#update(id, (s) => ({ asks: s.asks.filter((a) => a.id !== ask), row: { ...s.row, phase: 'working' } })),
    Choose: (id: string, option: string, value: string) => this.#update(id, (s) => ({ options: s.options.map((o) => (o.id === option ? { ...o, current: value } : o)) })),
    Connect: () => undefined,
    OpenFolder: () => undefined,
    Restart: () => undefined,
    StartFresh: (id: string) => this.#opened(id),
    Dismiss: (card: number) => {
      for (const s of this.sessions.values()) if (s.cards.some((c) => c.id === card)) this.change(s.row.session, { cards: s.cards.filter((c) => c.id !== card) })
    },
    OpenRemediation: () => undefined,
    LogIn: () => undefined,
    Failures: () => ({ list: [...this.sessions.values()].filter((s) => s.cards.length > 0).map((s) => ({ row: s.row, cards: s.cards })), more: false }),
    Rename: (task: string, title: string) => this.#update(this.rows.get(task)?.session ?? '', (s) => ({ row: { ...s.row, title } })),
    Archive: (task: string, away: boolean) => this.#put(task, away),
    Delete: (task: string) => this.#put(task, true),
    Undelete: (task: string) => this.#put(task, false),
    Find: (_id: string, text: string) => this.hits.filter((h) => h.snippet.some((s) => s.text.includes(text))),
    Files: (_id: string, query: string) => this.files.filter((f) => f.includes(query)).slice(0, 50),
    Changes: () => this.changes,
    Prompts: () => this.prompts,
    Vitals: () => this.vitals(),
  }

  readonly #history: Record<string, Answer> = {
    Turns: (before: number, agent: string, outcome: string, text: string) =>
      this.history.filter(
        (p) => (before === 0 || p.started < before) && (!agent || p.agent === agent) && (!outcome || p.outcome === outcome) && `${p.title} ${p.prompt}`.toLowerCase().includes(text.toLowerCase()),
      ).slice(0, 50),
    Turn: (id: string, turn: number): Page => ({ parts: (this.parts.get(id) ?? []).filter((p) => p.turn === turn), first: true }),
    Search: () => this.hits,
  }

  readonly #settings: Record<string, Answer> = {
    Get: () => this.prefs,
    Page: () => this.kept,
    KeepPage: (text: string) => void (this.kept = text),
    Set: (p: Prefs) => (this.prefs = { ...p, trouble: null }),
    Read: () => this.prefs,
    OpenFolder: () => undefined,
    Quit: () => undefined,
    Desktop: () => this.desktop,
    SetDesktop: (d: Desktop) => (this.desktop = d),
    Check: () => this.checks,
    Auto: () => this.auto,
    StopAuto: (stopped: boolean) => {
      this.auto = { ...this.auto, stopped }
      this.emit({ stopped })
      return this.auto
    },
    ChooseAuto: (dir: string, choice: AutoChoice) => {
      const folders = this.auto.folders.filter((f) => f.dir !== dir)
      for (const s of this.sessions.values())
        if (s.row.dir === dir) this.change(s.row.session, { auto: { ...s.auto, folder: choice, now: s.auto.choice || choice || 'off' } })
      return (this.auto = { ...this.auto, folders: choice ? [...folders, { dir, choice }] : folders })
    },
    SetAuto: (name: string, value: string) => {
      const take = (n: { name: string; value: number; usual: number }) => (n.name === name ? (value ? Number(value) : n.usual) : n.value)
      return (this.auto = {
        ...this.auto,
        numbers: this.auto.numbers.map((n) => ({ ...n, value: take(n) })),
        marks: this.auto.marks.map((m) => (m.name === name ? { ...m, on: value === 'true' } : m)),
        words: this.auto.words.map((w) => (w.name === name ? { ...w, text: value ? (JSON.parse(value) as string) : w.usual } : w)),
      })
    },
    ImportAuto: () => this.auto,
    Agents: () => this.agents,
    Words: (language) => ({ tag: (language as string) || 'en', messages: this.words }),
    About: () => ({ version: '0.1.0', licence: 'Apache-2.0', data_dir: '/home/ana/.local/share/turnwatch', languages: ['en'], system: 'linux/amd64', go: 'go1.26' }),
    Works: () => this.works.map(({ name, version, licence }) => ({ name, version, licence })),
    Licence: (name) => {
      const work = this.works.find((w) => w.name === name)
      if (!work) throw refuse('error.argument')
      return work.text
    },
  }

  #put(task: string, away: boolean): void {
    const row = this.rows.get(task) ?? this.#away.get(task)
    if (!row) throw refuse('ui.error.unknown')
    const moved = { ...row, away }
    this.rows.delete(task)
    this.#away.delete(task)
    ;(away ? this.#away : this.rows).set(task, moved)
    this.emit(away ? { gone: [task] } : { rows: [moved] })
  }
}

/** A rejection as Go makes it. */
export function refuse(key: string, args: Record<string, string> = {}): Error {
  return new Error(JSON.stringify({ key, args }))
}

