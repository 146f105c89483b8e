// Markdown of agents to harmless markup: markdown-it without HTML, then DOMPurify
// over a short list of elements. Two rules stand on top. A link keeps no href: it
// becomes text with its address in data-address, and the page shows that in a
// sheet. An image becomes such a link, so nothing is ever fetched.

import DOMPurify from 'dompurify'
import MarkdownIt from 'markdown-it'
import { hostOf, tellsHost } from './links'

// What is nested deeper than this markdown-it leaves out; here it is shown as it was written.
const deepest = 40
const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false, maxNesting: deepest })
// Links are shown, not followed, so a bare host need not become one.
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
// Every address is kept for the sheet; the sheet says what it is.
md.validateLink = () => true
md.disable(['html_block', 'html_inline'], true)

// A run of text longer than this gets no inline markup: it is shown as plain text,
// which stays quick however long it is and whatever is in it.
const longest = 20_000
md.core.ruler.before('inline', 'plain', (state) => {
  for (const token of state.tokens) if (token.type === 'inline' && token.content.length > longest) token.type = 'plain'
})
md.renderer.rules.plain = (tokens, i) => `<span class="plain">${md.utils.escapeHtml(tokens[i]?.content ?? '')}</span>`

type Rule = NonNullable<(typeof md.renderer.rules)[string]>
const escape = md.utils.escapeHtml

/** What is kept while one text is rendered: the hosts to be told after the open links. */
interface Notes { hosts?: string[] }
const notes = (env: unknown): Notes => (env ?? {}) as Notes

const linkOpen: Rule = (tokens, i, _options, env) => {
  const address = String(tokens[i]?.attrGet('href') ?? '')
  let text = ''
  for (let j = i + 1; j < tokens.length && tokens[j]?.type !== 'link_close'; j++) text += tokens[j]?.content ?? ''
  const host = hostOf(address)
  ;(notes(env).hosts ??= []).push(tellsHost(text, host) ? '' : host)
  return `<a role="link" tabindex="0" dir="auto" data-address="${escape(address)}">`
}
const linkClose: Rule = (_tokens, _i, _options, env) => {
  const host = notes(env).hosts?.pop() ?? ''
  return host ? `<span class="host"> (<bdi>${escape(host)}</bdi>)</span></a>` : '</a>'
}
const image: Rule = (tokens, i) => {
  const token = tokens[i]
  const address = String(token?.attrGet('src') ?? '')
  const alt = token?.content || address
  const host = hostOf(address)
  const shown = host && !tellsHost(alt, host) ? ` <span class="host">(<bdi>${escape(host)}</bdi>)</span>` : ''
  return `<a role="link" tabindex="0" dir="auto" class="image" data-address="${escape(address)}">${escape(alt)}${shown}</a>`
}
// Alignment comes as a style attribute, which the policy of the page forbids.
const cell: Rule = (tokens, i, options, _env, self) => {
  const token = tokens[i]!
  const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = align ? [['class', `to-${align}`]] : null
  return self.renderToken(tokens, i, options)
}
const code: Rule = (tokens, i) => `<pre dir="ltr" tabindex="0"><code>${escape(tokens[i]?.content ?? '')}</code></pre>`

md.renderer.rules.link_open = linkOpen
md.renderer.rules.link_close = linkClose
md.renderer.rules.image = image
md.renderer.rules.th_open = md.renderer.rules.td_open = cell
md.renderer.rules.fence = md.renderer.rules.code_block = code
md.renderer.rules.table_open = () => '<div class="table" dir="auto" tabindex="0"><table>'
md.renderer.rules.table_close = () => '</table></div>'
// The page has its own headings; those of a text stand below them, all on one level.
md.renderer.rules.heading_open = (tokens, i) => `<h3 dir="auto" class="${tokens[i]?.tag ?? ''}">`
md.renderer.rules.heading_close = () => '</h3>\n'
for (const name of ['paragraph_open', 'list_item_open', 'blockquote_open']) {
  md.renderer.rules[name] = (tokens, i, options, _env, self) => {
    tokens[i]?.attrSet('dir', 'auto')
    return self.renderToken(tokens, i, options)
  }
}

const allowed = {
  ALLOWED_TAGS: [
    'p', 'br', 'hr', 'h3', 'strong', 'em', 's', 'code', 'pre', 'blockquote',
    'ul', 'ol', 'li', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'span', 'bdi',
  ],
  ALLOWED_ATTR: ['class', 'dir', 'start', 'role', 'tabindex', 'data-address'],
  // An address is shown, never followed, so any may stand here.
  ADD_URI_SAFE_ATTR: ['data-address'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  KEEP_CONTENT: true,
}

/** Makes markup harmless whatever it is. */
export function purify(html: string): string {
  return DOMPurify.sanitize(html, allowed)
}

/** A top-level block of a text: its markup, or a code fence, by its first line. */
export interface Piece { from: number; html: string; code: { language: string; text: string } | null }

// More blocks than this at once are made harmless in groups: each call of the
// sanitiser makes a document. A text that streams never has so many that change.
const many = 200
const group = 20

/** Renders a text to its top-level blocks. Lines are counted from 0. */
export function pieces(source: string): Piece[] {
  const env = {}
  const tokens = md.parse(source, env)
  const size = tokens.length > many * 3 ? group : 1
  const out: Piece[] = []
  let first = 0 // of the blocks that are not in a piece yet
  let held = 0
  let lines: string[] | undefined
  const put = (end: number): void => {
    if (held === 0) return
    const [from] = tokens[first]!.map ?? [0]
    out.push({ from, html: purify(md.renderer.render(tokens.slice(first, end), md.options, env)), code: null })
    held = 0
  }
  for (let i = 0; i < tokens.length; ) {
    const head = tokens[i]!
    const end = blockEnd(tokens, i)
    const map = head.map
    if (map && tokens.slice(i, end).some((token) => token.level >= deepest - 1)) {
      put(i)
      lines ??= source.split('\n')
      out.push({ from: map[0], html: purify(`<p dir="auto"><span class="plain">${escape(lines.slice(...map).join('\n'))}</span></p>`), code: null })
      i = end
      continue
    }
    if (head.type === 'fence' || head.type === 'code_block') {
      put(i)
      const language = head.info.trim().split(/\s+/)[0] ?? ''
      out.push({ from: head.map?.[0] ?? 0, html: '', code: { language: language.slice(0, 40), text: head.content } })
    } else {
      if (held === 0) first = i
      if (++held >= size) put(end)
    }
    i = end
  }
  put(tokens.length)
  return out
}

type Tokens = ReturnType<typeof md.parse>

/** The place after a top-level block that begins at i. */
function blockEnd(tokens: Tokens, i: number): number {
  let end = i + 1
  if (tokens[i]!.nesting !== 1) return end
  for (let depth = 1; depth > 0 && end < tokens.length; end++) depth += tokens[end]!.nesting
  return end
}
