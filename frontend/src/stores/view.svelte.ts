// What the open task's view can be told from elsewhere: by key, by the palette.
// The view that is on the screen says what it can do; with none, nothing is done.

interface Acts { write(): void; end(): void; find(): void; changes(): void; rename(): void; model(): void; seek(seq: number): void; section(id: string): void }

class View {
  #acts: Partial<Acts> = {}

  /** Adds what a part of the view can do; the function it gives takes it back. */
  can(acts: Partial<Acts>): () => void {
    Object.assign(this.#acts, acts)
    return () => {
      for (const name of Object.keys(acts) as (keyof Acts)[]) if (this.#acts[name] === acts[name]) delete this.#acts[name]
    }
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
}

export const view = new View()
