// Go writes an empty list as null. These are the names of all lists in the view
// types; wherever one is null, the page sees an empty list.
const lists = new Set([
  'rows', 'agents', 'sessions', 'parts', 'files', 'blobs', 'others', 'snippet', 'trusted', 'languages',
  'options', 'commands', 'queue', 'asks', 'cards', 'cancel', 'details', 'actions', 'choices',
  'blocks', 'plan', 'diffs', 'places', 'hunks', 'lines',
  'folders', 'numbers', 'marks', 'words',
])

/** Puts empty lists in place of null, in place, and gives the value back. */
export function fill(value: unknown): unknown {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') fill(item)
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>
    for (const name in fields) {
      const field = fields[name]
      if (field === null && lists.has(name)) fields[name] = []
      else if (typeof field === 'object') fill(field)
    }
  }
  return value
}
