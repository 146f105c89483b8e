// The user's settings, and their effect on the page: theme and language.

import { settings } from '../bridge'
import type { Prefs as Values } from '../types'
import { words } from '../words/words.svelte'

const dark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null

class Prefs {
  values = $state.raw<Values>({ theme: 'system', language: '', trusted: [] })

  constructor() {
    dark?.addEventListener('change', () => this.paint())
  }

  async load(): Promise<void> {
    this.values = await settings.get()
    this.paint()
    await words.load(this.values.language)
  }

  async set(change: Partial<Values>): Promise<void> {
    this.values = await settings.set({ ...this.values, ...change })
    this.paint()
    if (change.language !== undefined) await words.load(this.values.language)
  }

  /** Puts the theme on the page. */
  paint(): void {
    const { theme } = this.values
    document.documentElement.dataset.theme = theme === 'system' || !theme ? (dark?.matches ? 'dark' : 'light') : theme
  }
}

export const prefs = new Prefs()
