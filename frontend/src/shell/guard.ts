// Keeps the page where it is. No link, form, drop or middle click ever navigates:
// the content security policy does not stop navigation, so this does. A link that
// was meant to be followed shows its address in a sheet.

import { layers } from '../stores/layers.svelte'

function linkOf(e: Event): HTMLElement | null {
  for (const node of e.composedPath()) {
    if (!(node instanceof Element)) continue
    if (node.hasAttribute('data-address') || node.hasAttribute('href') || node.hasAttribute('xlink:href')) return node as HTMLElement
  }
  return null
}

/** The address as it was written: never resolved against the page. */
function addressOf(link: Element): string {
  return link.getAttribute('data-address') ?? link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? ''
}

/** Installs the guard; the function it gives takes it away. */
export function guard(target: Document = document): () => void {
  const stop = (e: Event): void => e.preventDefault()
  const follow = (e: Event): void => {
    const link = linkOf(e)
    if (!link) return
    e.preventDefault()
    e.stopPropagation()
    if (e.type === 'click') layers.address = { address: addressOf(link), from: link }
  }
  const key = (e: KeyboardEvent): void => {
    if ((e.key === 'Enter' || e.key === ' ') && e.target instanceof Element && e.target === linkOf(e)) {
      e.preventDefault()
      e.stopPropagation()
      layers.address = { address: addressOf(e.target), from: e.target as HTMLElement }
    }
  }
  const drag = (e: DragEvent): void => {
    if (linkOf(e)) e.preventDefault()
  }
  // A file or address that is dropped anywhere would replace the page; a text
  // that is dropped into a field is that field's.
  const drop = (e: DragEvent): void => {
    const kinds = [...(e.dataTransfer?.types ?? [])]
    if (kinds.includes('Files') || kinds.includes('text/uri-list')) e.preventDefault()
  }
  const capture = { capture: true }
  target.addEventListener('click', follow, capture)
  target.addEventListener('auxclick', follow, capture)
  target.addEventListener('keydown', key, capture)
  target.addEventListener('dragstart', drag, capture)
  target.addEventListener('submit', stop, capture)
  target.addEventListener('dragover', drop)
  target.addEventListener('drop', drop)
  return () => {
    target.removeEventListener('click', follow, capture)
    target.removeEventListener('auxclick', follow, capture)
    target.removeEventListener('keydown', key, capture)
    target.removeEventListener('dragstart', drag, capture)
    target.removeEventListener('submit', stop, capture)
    target.removeEventListener('dragover', drop)
    target.removeEventListener('drop', drop)
  }
}
