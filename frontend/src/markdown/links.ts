// What the page knows of an address: never more than its host and its text. No
// address is ever navigated to.

/** The host of a web address, the address of a mail link, or "" for anything else. */
export function hostOf(address: string): string {
  try {
    const url = new URL(address)
    if (url.protocol === 'mailto:') return url.pathname
    return /^https?:$/.test(url.protocol) ? url.host : ''
  } catch {
    return ''
  }
}

/** Whether a link text already says where it leads. */
export function tellsHost(text: string, host: string): boolean {
  return host === '' || text.toLowerCase().includes(host.toLowerCase())
}
