// Every feature of the app has an action: what the page can have Go do, and every
// button of every component, is either in the table of actions, offered by the
// palette, or named here with the reason why it is not.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as bridge from '../bridge'
import { actions } from './actions'
import { groups } from './groups'

// Prefixes of what the palette offers as it is just now: keys/offers.ts.
const offered = ['decide:', 'card:', 'edit:', 'unqueue:', 'option:', 'auto:', 'auto_send:', 'session:', 'section:', 'language:', 'task:']
const known = new Set([...actions.map((a) => a.id), ...offered])

const self = 'the page asks by itself'
const place = 'it is a control of a place that the keys reach'

// What each call of the page is there for.
const calls: Record<string, string> = {
  'tasks.list': 'reload', 'tasks.open': 'task:', 'tasks.leave': 'back', 'tasks.earlier': 'earlier', 'tasks.part': place, 'tasks.create': 'start',
  'tasks.folder': self, 'tasks.trust': 'start', 'tasks.pickFolder': 'pick', 'tasks.send': 'send', 'tasks.editQueued': 'edit:', 'tasks.removeQueued': 'unqueue:',
  'tasks.release': 'release', 'tasks.cancel': 'cancel', 'tasks.retryNow': 'retry', 'tasks.chooseAuto': 'auto:', 'tasks.typing': self,
  'tasks.dismissAuto': 'close', 'tasks.sendAuto': 'auto_send:', 'tasks.ledger': 'ledger', 'tasks.decide': 'decide:', 'tasks.choose': 'option:',
  'tasks.connect': 'connect', 'tasks.restart': 'restart', 'tasks.startFresh': 'fresh', 'tasks.failures': 'failed', 'tasks.dismiss': 'card:',
  'tasks.openRemediation': 'card:', 'tasks.logIn': 'card:', 'tasks.rename': 'rename', 'tasks.archive': 'archive', 'tasks.remove': 'delete',
  'tasks.undelete': 'undo', 'tasks.find': 'find', 'tasks.files': self, 'tasks.changes': 'changes', 'tasks.vitals': 'evidence', 'tasks.attend': self,
  'tasks.asked': self, 'tasks.openFolder': 'open_folder', 'tasks.prompts': place,
  'history.turns': 'history', 'history.turn': 'history', 'history.search': 'search',
  'settings.get': self, 'settings.set': 'light', 'settings.agents': 'agents', 'settings.words': 'language:', 'settings.read': 'read_settings',
  'settings.openFolder': 'open_data', 'settings.quit': 'quit', 'settings.about': 'about', 'settings.page': self, 'settings.keepPage': self,
  'settings.desktop': 'section:', 'settings.setDesktop': 'section:', 'settings.auto': 'section:', 'settings.stopAuto': 'stop_auto',
  'settings.chooseAuto': 'section:', 'settings.setAuto': 'section:', 'settings.importAuto': 'section:', 'settings.check': 'check', 'settings.works': 'about',
  'settings.licence': 'about',
}

// What each button says, and the action that does the same.
const buttons: Record<string, string> = {
  'ui.act.cancel': 'cancel', 'ui.act.changes': 'changes', 'ui.act.open_data': 'open_data', 'ui.act.read_settings': 'read_settings', 'ui.act.shortcuts': 'shortcuts',
  'ui.act.write': 'write', 'ui.again': 'reload', 'ui.ask.dismiss': 'decide:', 'ui.attach.add': 'attach', 'ui.auto.allow': 'allow_auto', 'ui.auto.now': 'auto:',
  'ui.auto.choice.stopped': 'auto:', 'ui.auto.would_send': 'auto_send:', 'ui.back': 'back', 'ui.broken.show': 'settings', 'ui.card.link': 'card:', 'ui.card.restart': 'restart',
  'ui.card.retry_now': 'retry', 'ui.card.stop_retry': 'cancel', 'ui.check.copy': 'check', 'ui.check.look': 'check', 'ui.check.looking': 'check', 'ui.close': 'close',
  'ui.composer.connect': 'connect', 'ui.composer.enqueue': 'send', 'ui.composer.keys': 'send', 'ui.composer.send': 'send', 'ui.evidence.pin': 'beside',
  'ui.evidence.title': 'evidence', 'ui.failed.title': 'failed', 'ui.history.open': 'task:', 'ui.ledger.title': 'ledger_all', 'ui.queue.edit': 'edit:',
  'ui.queue.remove': 'unqueue:', 'ui.queue.send_now': 'release', 'ui.session.pick': 'session:', 'ui.settings.again': 'agents', 'ui.start.looking': 'agents',
  'ui.start.choose': 'pick', 'ui.start.go': 'start', 'ui.trust.agree': 'start', 'ui.trust.start_anyway': 'start', 'ui.tasks.new': 'new', 'ui.tasks.show_archived': 'archived',
  'ui.tasks.show_open': 'unarchived', 'ui.transcript.earlier': 'earlier', 'ui.transcript.end': 'end', 'ui.transcript.new': 'end', 'ui.vitals.details': 'details',
  'ui.turn.copy': 'copy_turn', 'ui.settings.copy_path': 'copy_settings', 'ui.settings.file': 'copy_settings', 'ui.about.copy': 'about', 'ui.link.copy': place,
  'ui.settings.contents': 'section:', 'ui.task.menu': 'palette', 'ui.turn.menu': place, 'history.untitled': 'task:', 'ui.now': 'task:', 'ui.nav.needing': 'tasks',
  'ui.cancel': place, 'ui.save': place, 'ui.copy': place, 'ui.copy_code': place, 'ui.attach.remove': place, 'ui.diff.more': place, 'diff.new_file': place,
  'ui.diff.counts': place, 'ui.find.next': place, 'ui.find.previous': place, 'ui.text.all': place, 'ui.text.more': place, 'ui.tool.whole': place,
  'ui.loading': self, 'ui.history.more': place, 'ui.trusted.forget': 'section:', 'ui.trusted.forget_one': 'section:', 'ui.commands.forget_one': 'section:',
  'ui.desktop.quiet_none': 'section:', 'ui.auto.folder_forget': 'section:', 'ui.auto.folder_forget_one': 'section:', 'ui.auto.import_do': 'section:', 'ui.auto.words_own': 'section:',
  'ui.auto.usual': 'section:', 'ui.auto.usual_of': 'section:', 'ui.ledger.copy': place, 'ui.ledger.more': place, 'part.thought': place, 'ui.part.unknown': place,
}

function components(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const path = join(dir, e.name)
    if (e.isDirectory()) return components(path)
    return path.endsWith('.svelte') ? [readFileSync(path, 'utf8')] : []
  })
}

// The keys of words inside every button and menu of the markup.
function said(): string[] {
  const keys = components('src').flatMap((text) => {
    const markup = text.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '')
    return [...markup.matchAll(/<(button|Menu)\b[\s\S]*?<\/\1>/g)].flatMap((m) => [...m[0].matchAll(/['`]((?:ui|history|part|diff)\.[a-z_.]+[a-z])['`]/g)].map((k) => k[1]!))
  })
  return [...new Set(keys)]
}

describe('actions', () => {
  it('have each their own id and key, and stand in one group', () => {
    const ids = actions.map((a) => a.id)
    expect(new Set(ids).size).toBe(ids.length)
    const chords = actions.map((a) => a.chord).filter(Boolean)
    expect(new Set(chords).size).toBe(chords.length)
    expect(groups.flatMap((g) => g.actions).toSorted()).toEqual(ids.toSorted())
  })
})

describe('every feature has an action', () => {
  const all = Object.entries({ tasks: bridge.tasks, history: bridge.history, settings: bridge.settings }).flatMap(([part, names]) => Object.keys(names).map((n) => `${part}.${n}`))

  it.each(all)('%s', (call) => expect([...known, self, place]).toContain(calls[call]))

  it.each(said())('the button that says %s', (key) => expect([...known, self, place]).toContain(buttons[key]))

  it('and nothing stands here that is not there', () => expect(Object.keys(calls).filter((c) => !all.includes(c))).toEqual([]))
})
