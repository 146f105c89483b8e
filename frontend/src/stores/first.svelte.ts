// The first prompt of a session with files: it waits in the composer until the
// agent has said what it takes, and is sent then. Whoever changes it meanwhile
// sends it themselves.

import { tasks } from '../bridge'
import { refusalOf } from '../parts/attach'
import type { Blob64, Session } from '../types'
import { say } from '../words/words.svelte'
import { drafts } from './drafts.svelte'
import { attempt, toasts } from './toasts.svelte'

export class First {
  #waits: { session: string; text: string; blobs: Blob64[] } | null = null

  keep(session: string, text: string, blobs: Blob64[]): void {
    const writing = drafts.of(session)
    writing.text = text
    writing.blobs = blobs
    this.#waits = { session, text, blobs }
  }

  /** Looks whether the open session is ready for what waits for it. */
  async follow(session: Session): Promise<void> {
    const waits = this.#waits
    const { row } = session
    const failed = session.cards.length > 0 || row.state === 'failed'
    if (!waits || row.session !== waits.session || !(session.takes.known || failed)) return
    this.#waits = null
    const writing = drafts.of(waits.session)
    if (writing.text !== waits.text || writing.blobs !== waits.blobs) return
    if (failed) return // the card says what is wrong
    const no = refusalOf(waits.blobs, session.takes)
    if (no) toasts.show(`${say(no.key, no.args)} ${say('ui.attach.not_sent')}`)
    else if (await attempt(() => tasks.send(waits.session, { text: waits.text, files: [], blobs: waits.blobs }))) writing.clear()
  }
}

export const first = new First()
