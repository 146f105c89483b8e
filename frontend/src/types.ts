// What Go's window room says and hears, in its JSON. Times are milliseconds since
// 1970 UTC, 0 is "not". Text of agents is untrusted wherever it stands. Lists are
// never null here: bridge.ts fills them in.

export interface Phrase { key: string; args?: Record<string, string> }

export type TaskState = 'waiting' | 'running' | 'needs_you' | 'done' | 'failed'
export type Phase = 'idle' | 'opening' | 'working' | 'asks' | 'retrying' | 'quiet' | 'cancelling'

export interface Row {
  task: string
  session: string
  title: string
  agent: string
  name: string
  dir: string
  state: TaskState
  phase: Phase
  detail: Phrase
  queued: number
  started: number
  updated: number
  away: boolean
  /** Its failed prompt waits to be sent again. */
  again: Again | null
}

/** A failed prompt that is sent again by itself: when, and the how-manieth try of how many. */
export interface Again { at: number; try: number; most: number }

export interface Choice { value: string; name: string; description: string }
export interface Option { id: string; category: string; name: string; current: string; choices: Choice[] }
export interface Command { name: string; description: string; hint: string }
export interface Queued { id: string; text: string; more: number }
export interface AskOption { id: string; name: string; kind: string }
export interface Ask { id: string; heading: Phrase; tool: Tool; options: AskOption[]; inside: boolean }
export interface Detail { label: Phrase; text: string }
export interface Card {
  id: number
  turn: number
  code: string
  tone: string
  heading: Phrase
  guidance: Phrase
  later: Phrase
  note: Phrase
  details: Detail[]
  why: Phrase
  actions: string[]
  link_host: string; login: string
  at: number
  reset: number
  again: Again | null
}
export interface Failures { list: { row: Row; cards: Card[] }[]; more: boolean }
export interface Notice { kind: string; phrase: Phrase; at: number; cancel: boolean }
export interface Step { step: string; at: number }
export interface Turn {
  generation: number
  started: number
  first: number
  ended: number
  outcome: string
  stop: string
  cancel: Step[]
}
export interface Usage { used: number; size: number; cost: number; currency: string }
export interface Takes { known: boolean; images: boolean; embeds: boolean }

export interface Session {
  row: Row
  options: Option[]
  commands: Command[]
  queue: Queued[]
  held: boolean
  asks: Ask[]
  cards: Card[]
  notice: Notice | null
  turn: Turn
  usage: Usage
  takes: Takes
  auto: Auto
}

/** How far auto-resume may go: in a task also "", as its folder; in a folder "" is off. */
export type AutoChoice = '' | 'off' | 'notify' | 'safe' | 'full'
export interface Auto {
  choice: AutoChoice
  folder: AutoChoice
  now: AutoChoice
  /** Announced, and not done yet. */
  soon: AutoSoon | null
  /** A notice, a cancel, or that it has given up, about the last turn. */
  said: AutoSaid | null
}
export interface AutoSoon { what: Phrase; why: Phrase; due: number }
/** kind: what sendAuto may send for it; "" where nothing is. */
export interface AutoSaid { act: string; what: Phrase; why: Phrase; kind: string }
/** A row of the ledger. of: the row of the same session, older and nearest, that it is about; 0 for none. */
export interface AutoRow {
  id: number
  task: string
  session: string
  turn: number
  at: number
  row: number
  of: number
  act: string
  what: Phrase
  why: Phrase
  count: number
}
export interface AutoFolder { dir: string; choice: AutoChoice }
/** Times are in ms. */
export interface AutoNumber { name: string; value: number; usual: number; min: number; max: number; reason: string }
export interface AutoPrefs {
  stopped: boolean
  folders: AutoFolder[]
  numbers: AutoNumber[]
  marks: { name: string; on: boolean }[]
  words: { kind: string; name: string; text: string; usual: string }[]
}

export interface Block { kind: string; name: string; mime: string; data: string; uri: string }
export interface Line { op: string; text: string }
export interface Hunk { old: number; new: number; lines: Line[] }
export interface Diff { path: string; new: boolean; added: number; removed: number; hunks: Hunk[] }
export interface Spot { path: string; line: number }
export interface Tool {
  id: string
  title: string
  name: string
  kind: string
  status: string
  took: number
  output: string
  input: string
  diffs: Diff[]
  places: Spot[]
  cut: boolean
}
export interface Entry { content: string; status: string; priority: string }
export interface Part {
  seq: number
  turn: number
  kind: string
  key: string
  at: number
  text: string
  blocks: Block[]
  tool: Tool | null
  plan: Entry[]
  raw: string
  late: boolean
  marked: boolean
  /** Of a prompt that was sent again by itself: how often; else 0. */
  try: number
  /** Of a prompt that auto-resume has sent: what it is about, the how-manieth since the user spoke. */
  auto: { kind: string; count: number } | null
}
export interface Page { parts: Part[]; first: boolean }
export interface Op { set?: Part; seq?: number; offset?: number; add?: string }
export interface Batch {
  n: number
  rows?: Row[]
  gone?: string[]
  session?: Session
  of?: string
  ops?: Op[]
  health?: Phrase
  /** Whether all automation is stopped, where that has changed. */
  stopped?: boolean
}

export interface Agent {
  kind: string
  name: string
  version: string
  line: string
  ready: boolean
  hint: Phrase
  built_in: boolean
}
export interface List { rows: Row[]; agents: Agent[]; looked: boolean; batch: number; trouble: Phrase | null; stopped: boolean }
export interface Earlier { session: string; title: string; started: number; turns: number }
export interface Opened { session: Session; sessions: Earlier[]; page: Page; batch: number }
export interface Blob64 { name: string; mime: string; data: string }
export interface Draft { text: string; files: string[]; blobs: Blob64[] }
export interface NewTask {
  dir: string
  agent: string
  command: string
  title: string
  options: Record<string, string>
  draft: Draft
}
export interface Folder { dir: string; trusted: boolean; git: boolean; others: string[] }
export interface Span { text: string; match: boolean }
export interface Found {
  task: string
  title: string
  session: string
  turn: number
  seq: number
  kind: string
  at: number
  snippet: Span[]
}
export interface Changes { files: Diff[]; from: string; note: Phrase; cut: boolean }
export interface Past {
  task: string
  session: string
  title: string
  agent: string
  turn: number
  prompt: string
  started: number
  ended: number
  outcome: string
  code: string
}
export interface Prefs {
  theme: string
  language: string
  trusted: string[]
  keep?: Keep
  /** Command lines that were allowed once. */
  commands?: string[]
  /** Where all this stands, and why it is not in force. */
  file?: string
  trouble?: Trouble | null
}
/** last: the last good settings hold in place of the file, else the usual ones. */
export interface Trouble { what: Phrase; detail: string; last: boolean }
/** Days, mebibytes, days and minutes; 0 is never or no limit. */
export interface Keep { days: number; mib: number; purge: number; idle: number }
export interface NotifyWishes {
  asks: boolean
  limited: boolean
  failed: boolean
  never_started: boolean
  capacity_back: boolean
  finished: boolean
  quiet_from: string
  quiet_to: string
}
export interface Desktop { tray: boolean; awake: boolean; autostart: boolean; notify: NotifyWishes }
/** One thing that Turnwatch needs on this machine. */
export interface Check { name: string; state: 'ok' | 'note' | 'bad'; what: Phrase }
export interface About { version: string; licence: string; data_dir: string; languages: string[]; system?: string; go?: string }
/** Something by others that is inside the program. */
export interface Work { name: string; version: string; licence: string }

export interface Strip { step: number; counts: number[] }
export interface Process { pid: number; depth: number; name: string; cpu: number; memory: number; halted: boolean }
export interface Processes { at: number; list: Process[]; more: number; known: boolean; busy: boolean; halted: boolean; memory: number }
export interface Vitals {
  at: number
  turn: number
  sent: number
  first: number
  last: number
  quiet: number
  ended: number
  strip: Strip
  tree: Processes
  earlier: Phrase
}

// A message is a sentence, or its plural forms by CLDR category.
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Messages = Record<string, Message>
/** Every sentence of a language; tag is BCP 47. */
export interface Vocabulary { tag: string; messages: Messages }
