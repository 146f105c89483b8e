// The page in a browser: ?scene=NAME chooses what the scripted core plays,
// ?task=ID opens a task, ?theme=light|dark, ?dir=rtl. With ?keep=1 what the
// page remembers is kept.

import { scenes } from '../src/testing/scenes'

const query = new URLSearchParams(location.search)
const name = query.get('scene') ?? 'busy'
if (name !== 'unreachable') {
  const core = (scenes[name] ?? scenes.busy!)().install()
  const task = query.get('task')
  if (query.get('keep')) {
    core.kept = sessionStorage.getItem('kept') ?? ''
    core.otherwise.set('Settings.KeepPage', (text: string) => sessionStorage.setItem('kept', text))
  }
  if (task) core.kept = JSON.stringify({ ...JSON.parse(core.kept || '{}'), task })
  core.prefs = { ...core.prefs, theme: query.get('theme') ?? 'system' }
  Object.assign(window, { core })
}
document.documentElement.dir = query.get('dir') ?? 'ltr'
await import('../src/main')
