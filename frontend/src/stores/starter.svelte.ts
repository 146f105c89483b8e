// The form for a new task: which agent, which folder, what to do.

import { asCallError, tasks, type CallError } from '../bridge'
import type { Agent, Folder, Row } from '../types'

/** The choice of an agent that is not in the list. */
export const other = '\u0000other'

export class Starter {
  agent = $state('')
  command = $state('')
  dir = $state('')
  text = $state('')
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

  ready(agents: Agent[]): boolean {
    const agent = this.chosen(agents)
    const runs = agent === other ? this.command.trim() !== '' : agents.some((a) => a.kind === agent && a.ready)
    return runs && this.dir.trim() !== '' && this.text.trim() !== '' && !this.busy
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

  /** Trusts the folder, where that was agreed to, and starts. Null where it failed. */
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
        title: '',
        options: {},
        draft: { text: this.text, files: [], blobs: [] },
      })
    } catch (reason) {
      this.error = asCallError(reason)
      return null
    } finally {
      this.busy = false
    }
  }
}
