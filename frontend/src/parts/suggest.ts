// What can be completed at the place of the caret: a slash command at the start
// of the prompt, or a file after an @.

export interface Wanted { kind: 'command' | 'file'; query: string; from: number }

/** What is being named before the caret, or null. */
export function wantedAt(text: string, caret: number): Wanted | null {
  const before = text.slice(0, caret)
  const command = /^\/(\S*)$/.exec(before)
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0 }
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (file) return { kind: 'file', query: file[1] ?? '', from: caret - (file[1]?.length ?? 0) - 1 }
  return null
}

/** The text with the word at the caret replaced, and where the caret is then. */
export function complete(text: string, caret: number, wanted: Wanted, word: string): { text: string; caret: number } {
  const put = (wanted.kind === 'command' ? '/' : '@') + word + ' '
  const rest = text.slice(caret).replace(/^ /, '')
  return { text: text.slice(0, wanted.from) + put + rest, caret: wanted.from + put.length }
}
