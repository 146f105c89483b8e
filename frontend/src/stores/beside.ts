// What the page says to what stands beside it: whether the user looks, and at
// which task; and what it hears from there: a task that is to be shown. Neither
// matters so much that a failed call would be shown.

import { onShow, tasks } from '../bridge'
import { app } from './app.svelte'

/** The task in view; "" where the user looks elsewhere. */
function inView(): string {
  return app.screen === 'tasks' && !app.starting ? app.open.task : ''
}

let told = ''

/** Says what the user looks at, where that has changed. */
export function attend(): void {
  const focused = document.hasFocus() && document.visibilityState === 'visible'
  const task = inView()
  const now = `${focused} ${task}`
  if (now === told) return
  told = now
  tasks.attend(focused, task).catch(() => (told = ''))
}

/** Begins to listen; the function that it gives ends that. */
export function listen(): () => void {
  const off = onShow(() => void app.showAsked())
  const events = ['focus', 'blur'] as const
  for (const e of events) window.addEventListener(e, attend)
  document.addEventListener('visibilitychange', attend)
  return () => {
    off()
    for (const e of events) window.removeEventListener(e, attend)
    document.removeEventListener('visibilitychange', attend)
    told = ''
  }
}
