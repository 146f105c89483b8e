// What lies above the screen: menus, sheets, dialogs. Esc closes the topmost one
// and nothing else.

class Layers {
  #open: (() => void)[] = []
  /** The one sheet that is shown by name, "" for none. */
  sheet = $state<'' | 'palette' | 'shortcuts' | 'check' | 'about'>('')
  /** The session whose ledger is shown, "" for that of all; null for none. */
  ledger = $state<string | null>(null)
  /** An address that somebody clicked, or null. */
  /** How many sheets lie above the screen: what is beside the topmost cannot be reached. */
  sheets = $state(0)
  address = $state.raw<{ address: string; from: HTMLElement | null } | null>(null)

  /** Adds a layer; the function it gives takes it away again. */
  add(close: () => void): () => void {
    this.#open.push(close)
    return () => {
      const i = this.#open.lastIndexOf(close)
      if (i >= 0) this.#open.splice(i, 1)
    }
  }

  /** Closes the topmost layer. False where there was none. */
  closeTop(): boolean {
    const close = this.#open.at(-1)
    close?.()
    return close !== undefined
  }

  get any(): boolean {
    return this.#open.length > 0
  }
}

export const layers = new Layers()
