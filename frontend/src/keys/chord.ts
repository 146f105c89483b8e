// Key presses by name. "mod" is Cmd on a Mac and Ctrl elsewhere.

export const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The name of a key press: mod+k, alt+1, ?, escape. */
export function chordOf(e: KeyboardEvent): string {
  const mod = mac ? e.metaKey : e.ctrlKey
  // Shift makes another sign of the full stop, by layout: the key itself is meant.
  const stop = mod && e.shiftKey && (e.code === 'Period' || e.key === '>')
  const key = e.key === ' ' ? 'space' : stop ? '.' : e.key.toLowerCase()
  // With Alt held some layouts give another sign: the digit is in the code.
  const digit = e.altKey ? /^Digit(\d)$/.exec(e.code)?.[1] : undefined
  // Shift is a part of the name only where it does not make another sign.
  const shift = e.shiftKey && (key.length > 1 || stop)
  return [mod && 'mod', e.altKey && 'alt', shift && 'shift', digit ?? key].filter(Boolean).join('+')
}

const signs: Record<string, string> = mac
  ? { mod: '⌘', alt: '⌥', shift: '⇧', enter: '↵', escape: 'Esc' }
  : { mod: 'Ctrl', alt: 'Alt', shift: '⇧', enter: '↵', escape: 'Esc' }

/** How a chord is written for people. */
export function shown(chord: string): string {
  const parts = chord.split('+').map((p) => signs[p] ?? (p.length === 1 ? p.toUpperCase() : p))
  return parts.join(mac ? '' : ' ')
}

/** Whether what has the focus takes text. */
export function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
