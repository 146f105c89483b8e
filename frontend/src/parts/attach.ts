// Files and images that are dropped or pasted into a prompt, as far as the agent
// takes them. Refusals are keys of words with their arguments.

import type { Blob64, Takes } from '../types'

export const mostBytes = 10_000_000
export const mostFiles = 20
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export interface Refusal { key: string; args: Record<string, string> }

/** Why a file can't be taken, or null. */
export function refusal(file: { name: string; type: string; size: number }, takes: Takes, have: number): Refusal | null {
  const args = { name: file.name }
  if (have >= mostFiles) return { key: 'ui.attach.too_many', args: { most: String(mostFiles) } }
  if (file.size > mostBytes) return { key: 'ui.attach.too_big', args: { ...args, most: String(mostBytes / 1_000_000) } }
  if (images.has(file.type)) return takes.images ? null : { key: 'ui.attach.no_images', args }
  return takes.embeds ? null : { key: 'ui.attach.no_files', args }
}

/** Why what was read for an agent that was not known yet can't be sent to it, or null. */
export function refusalOf(blobs: Blob64[], takes: Takes): Refusal | null {
  for (const b of blobs) {
    const no = refusal({ name: b.name, type: b.mime, size: 0 }, takes, 0)
    if (no) return no
  }
  return null
}

/** Reads a file to base64. */
export async function read(file: File): Promise<Blob64> {
  const url = await new Promise<string>((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.onerror = () => fail(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
  return { name: file.name || 'image', mime: file.type || 'application/octet-stream', data: url.slice(url.indexOf(',') + 1) }
}
