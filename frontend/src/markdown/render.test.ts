import { describe, expect, it } from 'vitest'
import { hostile } from '../testing/hostile'
import { hostOf } from './links'
import { pieces, purify } from './render'

const html = (text: string) => pieces(text).map((p) => p.html).join('')
const parse = (markup: string) => {
  const box = document.createElement('div')
  box.innerHTML = markup
  return box
}

describe('hostile Markdown', () => {
  it.each(hostile)('%s is harmless', (_name, text) => {
    const box = parse(html(text))
    for (const e of box.querySelectorAll('*')) {
      expect(e.tagName).toMatch(/^(P|BR|HR|H3|STRONG|EM|S|CODE|PRE|BLOCKQUOTE|UL|OL|LI|DIV|TABLE|THEAD|TBODY|TR|TH|TD|A|SPAN|BDI)$/)
      for (const a of e.attributes) expect(['class', 'dir', 'start', 'role', 'tabindex', 'data-address']).toContain(a.name)
    }
    expect((window as { pwned?: unknown }).pwned).toBeUndefined()
  })

  it('keeps its words', () => {
    expect(parse(html('<script>window.pwned=1</script>')).textContent).toBe('<script>window.pwned=1</script>\n')
    expect(parse(html('a <b onclick="x">bold</b>')).textContent).toBe('a <b onclick="x">bold</b>\n')
  })
})

describe('deep nesting', () => {
  it.each([['quotes', '> '.repeat(200)], ['lists', '- '.repeat(200)], ['both', '> - '.repeat(100)]])('of %s loses no word', (_name, before) => {
    const text = parse(html(`before\n\n${before}deep\n\nafter`)).textContent
    for (const word of ['before', 'deep', 'after']) expect(text).toContain(word)
  })
})

describe('purify', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', ''],
    ['<p style="position:fixed">x</p>', '<p>x</p>'],
    ['<a href="https://e.example">x</a>', '<a>x</a>'],
    ['<svg><script>1</script></svg>', ''],
    ['<a data-address="x" onclick="1">y</a>', '<a data-address="x">y</a>'],
    ['<iframe srcdoc="x"></iframe>', ''],
  ])('makes %s to %s', (markup, clean) => expect(purify(markup)).toBe(clean))
})

describe('links', () => {
  it('keep their address, and no href', () => {
    const a = parse(html('[the docs](https://docs.example/a?b=1)')).querySelector('a')!
    expect(a.getAttribute('href')).toBeNull()
    expect(a.dataset.address).toBe('https://docs.example/a?b=1')
    expect(a.textContent).toBe('the docs (docs.example)')
    expect(a.tabIndex).toBe(0)
  })

  it('tell the host where the text lies about it', () => {
    expect(parse(html('[https://bank.example](https://evil.example)')).textContent).toContain('(evil.example)')
    expect(parse(html('[go](https://bank.example@evil.example/)')).textContent).toContain('(evil.example)')
  })

  it('tell it once where the text has it', () => {
    expect(parse(html('https://docs.example/x')).textContent).toBe('https://docs.example/x\n')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'wails://wails/ipc'])('show %s as it is, and do not have it', (address) => {
    const a = parse(html(`[click](${address})`)).querySelector('a')!
    expect(a.dataset.address).toBe(address)
    expect([...a.attributes].map((x) => x.name).sort()).toEqual(['data-address', 'dir', 'role', 'tabindex'])
  })

  it('stand in for images', () => {
    const box = parse(html('![a chart](https://img.example/c.png)'))
    expect(box.querySelector('img')).toBeNull()
    expect(box.querySelector('a')?.dataset.address).toBe('https://img.example/c.png')
    expect(box.textContent).toContain('a chart')
  })

  it.each([
    ['https://a.example/x', 'a.example'],
    ['http://a.example:81', 'a.example:81'],
    ['https://u:p@a.example', 'a.example'],
    ['mailto:x@a.example', 'x@a.example'],
    ['javascript:alert(1)', ''],
    ['data:text/html,x', ''],
    ['/etc/passwd', ''],
    ['', ''],
    ['https://аpple.example', 'xn--pple-43d.example'],
  ])('%s has the host %s', (address, host) => expect(hostOf(address)).toBe(host))
})

describe('pieces', () => {
  it('gives code apart, with its language', () => {
    expect(pieces('a\n\n```go title="x"\nfunc main() {}\n```\n\nb').map((p) => p.code)).toEqual([null, { language: 'go', text: 'func main() {}\n' }, null])
  })

  it('aligns cells by class', () => {
    expect(html('|a|b|\n|-:|:-:|\n|1|2|')).toContain('<td class="to-right">1</td>')
  })

  it('puts headings of a text on one level', () => {
    expect(html('# one\n\n#### four')).toBe('<h3 dir="auto" class="h1">one</h3>\n<h3 dir="auto" class="h4">four</h3>\n')
  })

  it.each([
    ['a long run of brackets', '['.repeat(200_000)],
    ['a long run of stars', '*a '.repeat(60_000)],
    ['a long run of backticks', '`a``b'.repeat(40_000)],
    ['a long word', 'x'.repeat(1_000_000)],
    ['many links', '[a](b) '.repeat(2000)],
    ['an open quote of quotes', '> '.repeat(2000) + 'x'],
  ])('stays quick on %s', (_name, text) => {
    const before = performance.now()
    expect(html(text).length).toBeGreaterThan(0)
    expect(performance.now() - before).toBeLessThan(5000)
  })
})
