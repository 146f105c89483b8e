// The sections of the settings, in their order on the screen. The id is the one
// of the heading; the palette leads to it too.

export const sections = [
  { id: 'look', name: 'ui.settings.look' },
  { id: 'agents', name: 'ui.settings.agents' },
  { id: 'auto', name: 'ui.auto.title' },
  { id: 'desktop', name: 'ui.desktop.title' },
  { id: 'data', name: 'ui.settings.data' },
  { id: 'trusted', name: 'ui.settings.trusted' },
  { id: 'commands', name: 'ui.settings.commands' },
  { id: 'check', name: 'ui.check.title' },
  { id: 'about', name: 'ui.settings.about' },
] as const

/** Shows a section and puts the focus on its heading, so that reading goes on there. */
export function reach(id: string): void {
  const heading = document.getElementById(id)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  heading.scrollIntoView({ block: 'start' })
}
