// The page in a browser: ?scene=NAME chooses what the scripted core plays,
// ?task=ID opens a task, ?theme=light|dark, ?dir=rtl. With ?keep=1 what the
// page remembers is kept.

import { scenes } from '../src/testing/scenes'

const query = new URLSearchParams(location.search)
const name = query.get('scene') ?? 'busy'
if (name !== 'unreachable') {
  const core = (scenes[name] ?? scenes.busy!)().install()
  core.prefs = { ...core.prefs, theme: query.get('theme') ?? 'system' }
  Object.assign(window, { core })
}
if (!query.get('keep')) localStorage.clear()
const task = query.get('task')
if (task) localStorage.setItem('turnwatch.task', JSON.stringify(task))
document.documentElement.dir = query.get('dir') ?? 'ltr'
await import('../src/main')
