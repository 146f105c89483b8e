import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import english from '../../../locales/en.json'
import type { Message, Messages } from '../types'
import { spoken } from './format'
import { names, parse, put } from './template'
import { phrase, say, words } from './words.svelte'

const all = english as Messages
const forms = (m: Message): string[] => (typeof m === 'string' ? [m] : Object.values(m))

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const path = join(dir, e.name)
    if (e.isDirectory()) return e.name === 'testing' ? [] : sources(path)
    return /\.(ts|svelte)$/.test(e.name) && !e.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : []
  })
}
const source = sources('src').join('\n')

// The numbers and detectors of auto-resume, as Go names them.
const numbers = [
  'abortContinueDelayMs', 'actionIntentDelayMs', 'activeUserWindowMs', 'baseBackoffMs', 'cancelTimeoutMs',
  'checkIntervalMs', 'chunkTimeoutMs', 'countdownMs', 'gracePeriodMs', 'injectIntervalMs',
  'loopMaxContinues', 'loopWindowMs', 'maxBackoffMs', 'maxRecoveryRetries', 'maxRetries',
  'minActivityGapMs', 'roundBudget', 'silentDeadStreamMinTokens', 'stuckChildMs', 'stuckChildToolMs',
  'subagentWaitMs', 'toolLoopInterventions', 'toolTextCheckDelayMs', 'warmupMs', 'windowBudget',
]
const marks = [
  'celebration', 'deadStream', 'doneClaim', 'orphanParent', 'readyToContinue',
  'resumeOnActionIntent', 'resumeOnMaxTokens', 'streamFailure', 'todoNudges', 'toolLoop',
  'toolText',
]

// Keys that the code makes of a word and a value.
const families: Record<string, string[]> = {
  'ui.group': ['needs_you', 'running', 'waiting', 'done', 'failed'],
  'ui.phase': ['opening', 'working', 'asks', 'retrying', 'quiet', 'cancelling'],
  'ui.act': ['tasks', 'history', 'settings'],
  'ui.card': ['resume', 'start_fresh', 'send_again', 'switch_model', 'log_in', 'restart', 'dismiss'],
  'ui.option': ['model', 'mode', 'thought_level'],
  'ui.desktop': ['tray', 'autostart', 'awake', 'asks', 'limited', 'failed', 'never_started', 'capacity_back', 'finished'],
  'ui.check': ['ok', 'note', 'bad'],
  check: ['program', 'agents', 'data', 'permissions', 'history', 'settings', 'clock', 'webkit', 'tray', 'notifications'],
  'ui.settings': ['system', 'light', 'dark'],
  'ui.auto.about': ['off', 'notify', 'safe', 'full'],
  'ui.auto.choice': ['follow', 'off', 'notify', 'safe', 'full', 'stopped'],
  'ui.auto.mark': marks,
  'ui.auto.number': numbers,
  'ui.auto.reason': numbers,
  'ui.ledger': ['announce', 'cancel', 'give_up', 'notice', 'outcome', 'prompt', 'reply', 'withdraw'],
  'ui.plan': ['completed', 'in_progress'],
  task: ['waiting', 'running', 'needs_you', 'done', 'failed'],
  outcome: ['completed', 'ended_empty', 'cancelled', 'failed', 'never_started', 'interrupted'],
  kind: ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'],
  tool: ['pending', 'in_progress', 'failed', 'cancelled'],
  part: ['prompt', 'text', 'thought', 'tool', 'plan', 'other'],
  block: ['image', 'audio', 'resource_link', 'resource', 'other'],
  cancel: ['sent', 'acknowledged', 'escalated', 'not_stopped', 'returned'],
}
const made = Object.entries(families).flatMap(([family, values]) => values.map((v) => `${family}.${v}`))
const written = [...source.matchAll(/['"`]((?:ui|history|plan|diff|refused|failure|stop|part|task)\.[a-z_.]+[a-z])['"`]/g)].map((m) => m[1]!)

describe('the words of the page', () => {
  it.each([...new Set([...written, ...made])])('has a sentence for %s', (key) => expect(all).toHaveProperty([key]))

  it.each(Object.keys(all).filter((k) => k.startsWith('ui.')))('says %s somewhere', (key) => expect([...written, ...made]).toContain(key))

  it.each(Object.entries(all))('can say %s', (_key, message) => {
    for (const form of forms(message)) {
      const args = Object.fromEntries([...names(parse(form))].map((n) => [n, 'x']))
      expect(put(parse(form), args)).not.toMatch(/\{\{\s*(\.|if|else|end)/)
    }
    if (typeof message !== 'string') expect(message).toHaveProperty('other')
  })
})

describe('templates', () => {
  it.each([
    ['plain', {}, 'plain'],
    ['{{.a}} and {{ .b }}', { a: 1, b: 'two' }, '1 and two'],
    ['gone: {{.a}}.', {}, 'gone: .'],
    ['{{if .a}}yes {{.a}}{{end}}!', { a: 'x' }, 'yes x!'],
    ['{{if .a}}yes{{end}}!', { a: '' }, '!'],
    ['{{if .a}}a{{else if .b}}b{{else}}c{{end}}', { b: 1 }, 'b'],
    ['{{if .a}}a{{else if .b}}b{{else}}c{{end}}', {}, 'c'],
    ['{{if .a}}x{{if .b}}y{{end}}z{{end}}', { a: 1, b: 1 }, 'xyz'],
    ['{{end}}{{else}}stray', {}, 'stray'],
    ['{{if .a}}never closed', { a: 1 }, 'never closed'],
    ['{{.a}}', { a: '{{.b}}', b: 'no' }, '{{.b}}'],
    ['{{template "x"}}', {}, '{{template "x"}}'],
  ])('%s with %o says %s', (text, args, said) => expect(put(parse(text), args)).toBe(said))
})

describe('say', () => {
  afterEach(() => words.use(all, 'en'))

  it.each([
    ['in its words', { attempt: '2', why: 'Provider is overloaded', code: 'provider_overloaded' }, 'The agent is retrying, attempt 2: Provider is overloaded'],
    ['by its code', { attempt: '2', code: 'provider_overloaded' }, 'The agent is retrying, attempt 2: The provider is overloaded.'],
    ['or not at all', { attempt: '2' }, 'The agent is retrying, attempt 2.'],
    ['nor by a code that nobody knows', { attempt: '2', code: 'x' }, 'The agent is retrying, attempt 2.'],
  ])('says why an agent tries again %s', (_how, args, said) => expect(phrase({ key: 'retry.announced', args })).toBe(said))

  it('picks the plural form of the language', () => {
    words.use({ 'x.n': { one: 'jeden', few: '{{.Count}} kilka', many: '{{.Count}} wiele', other: '{{.Count}} inne' } }, 'pl')
    expect([1, 3, 5, 22].map((n) => say('x.n', { Count: n }))).toEqual(['jeden', '3 kilka', '5 wiele', '22 kilka'])
  })

  it('writes a count as the language writes numbers', () => {
    for (const [tag, told] of [['en', '12,345 x'], ['de', '12.345 x']] as const) {
      words.use({ 'x.n': { other: '{{.Count}} x' } }, tag)
      expect(say('x.n', { Count: 12345 })).toBe(told)
    }
  })

  it.each([
    ['a time of today', new Date(2026, 2, 14, 14, 3), 'kommt um 14:03'],
    ['a time of another day', new Date(2026, 2, 12, 14, 3), 'kommt am 12. März um 14:03'],
    ['a time of another year', new Date(2025, 2, 12, 14, 3), 'kommt am 12. März 2025 um 14:03'],
  ])('says %s with its preposition', (_what, at, told) => {
    words.use({ 'moment.today': 'um {{.time}}', 'moment.day': 'am {{.day}} um {{.time}}', 'x.comes': 'kommt {{.reset}}' }, 'de')
    vi.setSystemTime(new Date(2026, 2, 14, 20, 0))
    try {
      expect(phrase({ key: 'x.comes', args: { reset: String(at.getTime()) } })).toBe(told)
      expect(`kommt ${words.when(at.getTime())}`).toBe(told)
    } finally {
      vi.useRealTimers()
    }
  })

  it('falls back to English, and to the key', () => {
    words.use({ 'ui.close': 'Schliessen' }, 'de-CH')
    expect([say('ui.close'), say('ui.back'), say('no.such')]).toEqual(['Schliessen', 'Back', 'no.such'])
    expect(document.documentElement.lang).toBe('de-CH')
  })

  it.each([['ar', 'rtl'], ['ar-EG', 'rtl'], ['he', 'rtl'], ['de', 'ltr'], ['ja', 'ltr']])('turns the page for %s: %s', (tag, dir) => {
    words.use({}, tag)
    expect(document.documentElement.dir).toBe(dir)
  })

  it('lives with a tag that no browser knows', () => {
    words.use({}, '!')
    expect(words.tag).toBe('en')
  })

  it('puts times and durations of a phrase in words', () => {
    words.use({ 'x.at': 'at {{.time}}, since {{.started}}, for {{.quiet}}, {{.name}}' }, 'en-GB')
    const at = new Date()
    at.setHours(14, 3, 0, 0)
    const told = phrase({ key: 'x.at', args: { time: String(+at), started_at: String(+at), quiet_ms: '372000', name: '1234567890123' } })
    expect(told).toBe(`at 14:03, since 14:03, for ${spoken(372_000, 'en-GB')}, 1234567890123`)
  })

  it('says nothing for no phrase', () => expect([phrase(null), phrase({ key: '' })]).toEqual(['', '']))
})
