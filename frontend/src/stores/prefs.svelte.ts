// The user's settings, and their effect on the page: theme and language.

import { settings } from '../bridge'
import type { Prefs as Values } from '../types'
import { say, words } from '../words/words.svelte'
import { attempt, toasts } from './toasts.svelte'

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

  /** Takes the file of the settings as it stands now, and says when it is in order. */
  async read(): Promise<void> {
    await attempt(async () => {
      const { language } = this.values
      this.values = await settings.read()
      this.paint()
      if (this.values.language !== language) await words.load(this.values.language)
      if (!this.values.trouble) toasts.show(say('ui.broken.well'))
    })
  }

  /** While the file is not in order, looks whether it was replaced: anything that is set does that. */
  watch(): (() => void) | undefined {
    if (!this.values.trouble) return undefined
    const timer = setInterval(() => {
      settings.get().then(
        (now) => {
          if (!now.trouble) this.values = now
        },
        () => undefined, // it is asked again
      )
    }, 2000)
    return () => clearInterval(timer)
  }

  /** Puts the theme on the page. */
  paint(): void {
    const { theme } = this.values
    document.documentElement.dataset.theme = theme === 'system' || !theme ? (dark?.matches ? 'dark' : 'light') : theme
  }
}

export const prefs = new Prefs()
