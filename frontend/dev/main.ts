// The page in a browser: ?scene=NAME chooses what the scripted core plays,
// ?task=ID opens a task, ?theme=light|dark, ?lang=TAG, ?dir=rtl. With ?keep=1 what
// the page remembers is kept. speak(TAG) changes the language, speak.tags are all.

import { languages } from '../src/testing/languages'
import { scenes } from '../src/testing/scenes'

const query = new URLSearchParams(location.search)
const name = query.get('scene') ?? 'busy'
const language = query.get('lang') ?? 'en'
if (name !== 'unreachable') {
  const core = (scenes[name] ?? scenes.busy!)().install()
  const task = query.get('task')
  if (query.get('keep')) {
    core.kept = sessionStorage.getItem('kept') ?? ''
    core.otherwise.set('Settings.KeepPage', (text: string) => sessionStorage.setItem('kept', text))
  }
  if (task) core.kept = JSON.stringify({ ...JSON.parse(core.kept || '{}'), task })
  core.prefs = { ...core.prefs, theme: query.get('theme') ?? 'system', language }
  core.otherwise.set('Settings.Words', (tag: string) => ({ tag, messages: languages[tag] ?? {} }))
  Object.assign(window, { core })
}
// After the core is where the bridge looks for it.
const { words } = await import('../src/words/words.svelte')
const speak = (tag: string): void => words.use(languages[tag] ?? {}, tag)
Object.assign(window, { speak: Object.assign(speak, { tags: Object.keys(languages).sort() }) })
speak(language)
if (query.get('dir')) document.documentElement.dir = query.get('dir')!
await import('../src/main')
