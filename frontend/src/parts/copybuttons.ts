// Puts a Copy button on code that stands inside other blocks (in a list, a quote).
// It is done on the page, after the markup was made harmless.

import type { Attachment } from 'svelte/attachments'
import { copy } from '../stores/acts'

export function copyButtons(html: string, label: string): Attachment<HTMLElement> {
  return (node) => {
    if (!html.includes('<pre')) return
    for (const pre of node.querySelectorAll('pre')) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'quiet small'
      button.textContent = label
      button.addEventListener('click', () => void copy(pre.textContent))
      pre.after(button)
    }
    return () => {
      for (const button of node.querySelectorAll('pre + button')) button.remove()
    }
  }
}
