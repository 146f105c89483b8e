// Every word of the page, by key, in the language of the user, with English
// behind it. A change of language changes what is on the screen at once: whoever
// calls say() in a component reads the state below.

import english from '../../../locales/en.json'
import { settings } from '../bridge'
import type { Message, Messages, Phrase } from '../types'
import { apart, visible } from './bidi'
import { count, parts, spoken } from './format'
import { parse, put, type Args } from './template'

class Words {
  #messages = $state.raw<Messages>(english as Messages)
  /** A BCP 47 tag for Intl. */
  tag = $state(valid(navigator.language))
  #parsed = new Map<string, ReturnType<typeof parse>>()
  #rules = $derived(new Intl.PluralRules(this.tag))
  #back = $derived(rightToLeft(this.tag))

  /** Loads a language, "" for the system's. On failure the present one stays. */
  async load(language: string): Promise<void> {
    const { messages, tag } = await settings.words(language)
    // Formats follow the user's own country where it is the same language: en-GB, de-CH.
    const own = navigator.language
    this.use(messages, own.split('-')[0] === tag.split('-')[0] && !language ? own : tag)
  }

  use(messages: Messages, tag: string): void {
    this.#parsed.clear()
    this.#messages = messages
    this.tag = valid(tag)
    document.documentElement.lang = this.tag
    document.documentElement.dir = rightToLeft(this.tag) ? 'rtl' : 'ltr'
  }

  has(key: string): boolean {
    return key in this.#messages || key in english
  }

  /** The sentence of a key; Count picks the plural form. An unknown key is said itself. */
  say(key: string, args: Args = {}): string {
    const message = this.#messages[key] ?? (english as Messages)[key]
    if (message === undefined) return key
    const source = this.#form(message, args.Count)
    let nodes = this.#parsed.get(source)
    if (!nodes) this.#parsed.set(source, (nodes = parse(source)))
    const told = args.Count === undefined ? args : { ...args, Count: count(Number(args.Count), this.tag) }
    return this.#back ? put(nodes, told, apart) : put(nodes, told)
  }

  /** A phrase of Go: its arguments are texts, and times and durations by name. */
  phrase(p: Phrase | null | undefined): string {
    if (!p || p.key === '') return ''
    const args = localise(p.args ?? {}, this.tag, (ms) => this.when(ms))
    // The kind of a tool comes by its name in the protocol.
    if (this.has(`kind.${args.kind}`)) args.kind = this.say(`kind.${args.kind}`)
    // So does the reason of what has no words of its own: by its code.
    if (!args.why && this.has(`failure.${args.code}`)) args.why = this.say(`failure.${args.code}`)
    return this.say(p.key, args)
  }

  /** A moment as it stands within a sentence, with the small words that a language puts before it. */
  when(ms: number, now = Date.now(), seconds = false): string {
    const { day, time } = parts(ms, this.tag, now, seconds)
    return day === '' ? this.say('moment.today', { time }) : this.say('moment.day', { day, time })
  }

  /** Short facts in a row, each apart from the others; what is empty is left out. */
  row(facts: string[]): string {
    return facts.filter(Boolean).map((fact) => (this.#back ? apart(fact) : fact)).join(' · ')
  }

  #form(message: Message, count: string | number | undefined): string {
    if (typeof message === 'string') return message
    const form = this.#rules.select(Number(count ?? 0))
    return message[form] ?? message.other ?? ''
  }
}

/** Whether a language is written from right to left. */
function rightToLeft(tag: string): boolean {
  return ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo'].includes(new Intl.Locale(tag).maximize().script ?? '')
}

/** The first of two tags that Intl knows. */
function valid(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

// Go hands out raw values: a name that ends in _at, or is time, reset or until, is
// a time in milliseconds; one that ends in _ms is a duration. Both are put in
// words here, under the same name and under the name without its ending.
function localise(args: Record<string, string>, tag: string, when: (ms: number) => string): Args {
  const out: Args = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, visible(value)]))
  for (const [name, value] of Object.entries(args)) {
    if (!/^\d+$/.test(value)) continue
    const stem = name.replace(/_(at|ms)$/, '')
    if (/(^|_)at$|^(time|reset|until|next)$/.test(name) && value.length > 10) out[name] = out[stem] = when(Number(value))
    else if (name.endsWith('_ms')) out[name] = out[stem] = spoken(Number(value), tag)
    else if (name === 'Count') out[name] = value
  }
  return out
}

export const words = new Words()
export const say = (key: string, args?: Args): string => words.say(key, args)
export const phrase = (p: Phrase | null | undefined): string => words.phrase(p)
