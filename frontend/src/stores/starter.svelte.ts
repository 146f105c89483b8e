// The form for a new task: which agent, which folder, what to do.

import { asCallError, tasks, type CallError } from '../bridge'
import type { Agent, Blob64, Folder, Row } from '../types'

/** The choice of an agent that is not in the list. */
export const other = '\u0000other'

export class Starter {
  agent = $state('')
  command = $state('')
  dir = $state('')
  text = $state('')
  blobs = $state.raw<Blob64[]>([])
  folder = $state.raw<Folder | null>(null)
  error = $state.raw<CallError | null>(null)
  busy = $state(false)
  #asked = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The agent that is taken: the chosen one, else the first that is ready. */
  chosen(agents: Agent[]): string {
    if (this.agent) return this.agent
    return (agents.find((a) => a.ready && !a.built_in) ?? agents.find((a) => a.ready))?.kind ?? ''
  }

  /** What is missing before it can start, as the key of a sentence; "" for nothing. */
  missing(agents: Agent[]): string {
    const agent = this.chosen(agents)
    if (agent === other && this.command.trim() === '') return 'ui.start.need_command'
    if (agent !== other && !agents.some((a) => a.kind === agent && a.ready)) return 'ui.start.need_agent'
    if (this.dir.trim() === '') return 'ui.start.need_folder'
    return this.text.trim() === '' ? 'ui.start.need_prompt' : ''
  }

  ready(agents: Agent[]): boolean {
    return this.missing(agents) === '' && !this.busy
  }

  /** Takes a folder as it is typed and looks at it a moment later. */
  type(dir: string): void {
    this.dir = dir
    this.folder = null
    this.error = null
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.look(), 350)
  }

  async pick(): Promise<void> {
    this.error = null
    try {
      const dir = await tasks.pickFolder(this.dir)
      if (!dir) return
      this.dir = dir
      await this.look()
    } catch (reason) {
      this.error = asCallError(reason)
    }
  }

  /** Asks what is known of the folder. */
  async look(): Promise<Folder | null> {
    clearTimeout(this.#timer)
    const mine = ++this.#asked
    const dir = this.dir.trim()
    this.folder = null
    if (!dir) return null
    try {
      const folder = await tasks.folder(dir)
      if (mine === this.#asked) {
        this.folder = folder
        this.error = null
      }
      return folder
    } catch (reason) {
      if (mine === this.#asked) this.error = asCallError(reason)
      return null
    }
  }

  /**
   * Trusts the folder, where that was agreed to, and starts. Null where it failed.
   * With files the prompt waits until the agent has said what it takes: see first.
   */
  async start(agents: Agent[], trust: boolean): Promise<Row | null> {
    this.busy = true
    this.error = null
    try {
      const dir = this.folder?.dir ?? this.dir.trim()
      if (trust) await tasks.trust(dir)
      const agent = this.chosen(agents)
      const own = agent === other
      return await tasks.create({
        dir,
        agent: own ? '' : agent,
        command: own ? this.command.trim() : '',
        title: this.blobs.length > 0 ? titleOf(this.text) : '',
        options: {},
        draft: { text: this.blobs.length > 0 ? '' : this.text, files: [], blobs: [] },
      })
    } catch (reason) {
      this.error = asCallError(reason)
      return null
    } finally {
      this.busy = false
    }
  }
}

/** The first line of a prompt, as the title of its task. */
function titleOf(text: string): string {
  return [...(text.trim().split('\n')[0] ?? '')].slice(0, 100).join('').trim()
}
