// What the open task's view can be told from elsewhere: by key, by the palette.
// The view that is on the screen says what it can do; with none, nothing is done.

interface Acts {
  write(): void
  end(): void
  find(): void
  changes(): void
  rename(): void
  model(): void
  seek(seq: number): void
  section(id: string): void
  attach(): void
  evidence(): void
  copy(what: '' | 'prompt' | 'text'): void
  edit(queued: string): void
  filter(): void
  search(): void
  pick(): void
  start(): void
}

class View {
  #acts: Partial<Acts> = {}

  /** Adds what a part of the view can do; the function it gives takes it back. */
  can(acts: Partial<Acts>): () => void {
    Object.assign(this.#acts, acts)
    return () => {
      for (const name of Object.keys(acts) as (keyof Acts)[]) if (this.#acts[name] === acts[name]) delete this.#acts[name]
    }
  }

  /** Whether a part that is on the screen can do it. */
  able(name: keyof Acts): boolean {
    return name in this.#acts
  }

  write(): void { this.#acts.write?.() }
  end(): void { this.#acts.end?.() }
  find(): void { this.#acts.find?.() }
  changes(): void { this.#acts.changes?.() }
  rename(): void { this.#acts.rename?.() }
  /** Offers the agent's models to choose from. */
  model(): void { this.#acts.model?.() }
  seek(seq: number): void { this.#acts.seek?.(seq) }
  /** Shows a section of the settings. */
  section(id: string): void { this.#acts.section?.(id) }
  /** Offers files to go with the prompt. */
  attach(): void { this.#acts.attach?.() }
  /** Shows or hides how the state of the turn is known. */
  evidence(): void { this.#acts.evidence?.() }
  /** Copies the newest turn, or its prompt or answer alone. */
  copy(what: '' | 'prompt' | 'text'): void { this.#acts.copy?.(what) }
  /** Changes a prompt that waits. */
  edit(queued: string): void { this.#acts.edit?.(queued) }
  filter(): void { this.#acts.filter?.() }
  /** Goes to the search of the history. */
  search(): void { this.#acts.search?.() }
  /** Offers folders for the new task. */
  pick(): void { this.#acts.pick?.() }
  start(): void { this.#acts.start?.() }
}

export const view = new View()
