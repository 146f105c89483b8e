// Every language that there is, for a page without Go behind it, and the one that
// nobody speaks: English with other letters, and longer, as Go makes it.

import type { Message, Messages } from '../types'

const files = import.meta.glob<Messages>('../../../locales/*.json', { eager: true, import: 'default' })
const letters: Record<string, string> = Object.fromEntries([...'aeioucnsyzAEIOUCNSYZ'].map((plain, i) => [plain, [...'áéíöüçñšýžÁÉÍÖÜÇÑŠÝŽ'][i]!]))
export const pseudoTag = 'en-XA'

/** The sentences of each language by its tag. */
export const languages: Record<string, Messages> = Object.fromEntries(
  Object.entries(files).map(([path, messages]) => [path.replace(/^.*\/|\.json$/g, ''), messages]),
)
languages[pseudoTag] = Object.fromEntries(Object.entries(languages.en!).map(([key, message]) => [key, otherwise(message)]))

function otherwise(message: Message): Message {
  if (typeof message === 'string') return pseudo(message)
  return Object.fromEntries(Object.entries(message).map(([form, text]) => [form, pseudo(text as string)])) as Message
}

/** One sentence, a third longer and in brackets; arguments stay as they are. */
function pseudo(text: string): string {
  const parts = text.split(/(\{\{.*?\}\})/)
  const plain = parts.filter((part) => !part.startsWith('{{')).join('').length
  return `[${parts.map((part) => (part.startsWith('{{') ? part : part.replace(/[a-z]/gi, (c) => letters[c] ?? c))).join('')}${'~'.repeat(Math.floor(plain / 3))}]`
}
