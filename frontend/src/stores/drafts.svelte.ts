// What is being written, by session. The text outlives a reload; what was pasted
// or dropped does not.

import type { Blob64, Draft } from '../types'
import * as place from './place'

export class Writing {
  readonly session: string
  #text = $state('')
  blobs = $state.raw<Blob64[]>([])
  #picked = new Set<string>() // paths that were chosen from the menu of files

  constructor(session: string) {
    this.session = session
    this.#text = place.draft(session)
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    place.rememberDraft(this.session, text)
  }

  get empty(): boolean {
    return this.#text.trim() === '' && this.blobs.length === 0
  }

  pick(path: string): void {
    this.#picked.add(path)
  }

  /** The prompt as it is sent: files are those that the text still mentions. */
  get draft(): Draft {
    const files = [...this.#picked].filter((path) => this.#text.includes('@' + path))
    return { text: this.#text, files, blobs: this.blobs }
  }

  clear(): void {
    this.text = ''
    this.blobs = []
    this.#picked.clear()
  }
}

class Drafts {
  #all = new Map<string, Writing>()

  of(session: string): Writing {
    let w = this.#all.get(session)
    if (!w) this.#all.set(session, (w = new Writing(session)))
    return w
  }
}

export const drafts = new Drafts()
