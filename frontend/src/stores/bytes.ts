// Go counts text in UTF-8 bytes; the page holds UTF-16. These count without
// making a copy of the text.

/** The length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  let n = text.length
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c < 0x80) continue
    if (c < 0x800) n += 1
    else if (c >= 0xd800 && c < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      n += 2
      i++
    } else n += 2
  }
  return n
}

/** What is left of a text after its first bytes; a character that is cut goes whole. */
export function afterBytes(text: string, bytes: number): string {
  let i = 0
  while (i < text.length && bytes > 0) {
    const c = text.charCodeAt(i)
    if (c >= 0xd800 && c < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes -= 4
      i += 2
    } else {
      bytes -= c < 0x80 ? 1 : c < 0x800 ? 2 : 3
      i++
    }
  }
  return text.slice(i)
}

function isLow(c: number): boolean {
  return c >= 0xdc00 && c < 0xe000
}
