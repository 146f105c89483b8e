// Signs that turn the direction of what stands around them. They are not seen,
// and make text read otherwise than it is: a name that ends in "txt.exe" can look
// as if it ended in "exe.txt". What agents say is shown with a mark in the place
// of each; what is copied keeps them.

const turning = /[\u202A-\u202E\u2066-\u2069]/g
const mark = '\u21C4' // ⇄; it has no direction of its own

/**
 * A text as it is put into a sentence that is written from right to left: a path, a
 * name or a time keeps its own direction, and the words around it keep theirs.
 * Numbers need nothing.
 */
export function apart(text: string): string {
  return text === '' || /^[\d.,:]+$/.test(text) ? text : `\u2068${text}\u2069`
}

/** A text as it is shown. */
export function visible(text: string): string {
  return text.replace(turning, mark)
}
