import { describe, expect, it } from 'vitest'
import { hostile } from '../testing/hostile'
import { Stream } from './stream'

const samples: [string, string][] = [
  ['paragraphs', 'one\ntwo\n\nthree *four*\n\n\n\nfive'],
  ['setext headings', 'title\n=====\n\ntext\n---\nmore\n-\n- item'],
  ['a quote that turns', '> q\n-\n--\nlazy\n\n> r\n> s'],
  ['lists', '- a\n\n  b\n- c\n\n    code\n\n1. x\n2. y\n\nend'],
  ['a fence', 'x\n\n```js\nlet a = 1\n\n\n# no heading\n```\nafter\n~~~\nopen'],
  ['a table', 'a | b\n--|--\n1 | 2\n\nnot | a row'],
  ['indented code', 'p\n\n    code\n\n    more\n\ntext'],
  ['rules', '***\n- - -\n___\n\n* * a'],
  ['carriage returns', 'a\r\n\r\nb\r\rc\n\n- d\r\n- e'],
  ['markup', '<div>\n\n<b>x\n\n</div>'],
  ['right to left', 'مرحبا\n\n- واحد\n- اثنان\n\n> اقتباس'],
  ['emoji', '🙂\n\n👩‍👩‍👧 a\n\nb'],
]
// Blocks may be grouped when many come at once; what is shown is the same.
const view = (text: string, stream = new Stream()) => stream.render(text).map((b) => b.html || `<${b.code?.language}>${b.code?.text}`).join('')

describe('Stream', () => {
  it.each([...samples, ...hostile.filter(([, t]) => t.length < 2000)])('shows %s as the whole text is shown, at every step', (_name, text) => {
    for (const size of [1, 3, 17]) {
      const stream = new Stream()
      for (let i = size; i < text.length + size; i += size) {
        const so_far = text.slice(0, i)
        expect(view(so_far, stream)).toEqual(view(so_far))
      }
    }
  })

  it('shows a text of many blocks as it shows each of them', () => {
    const text = Array.from({ length: 900 }, (_, i) => (i % 50 === 7 ? '```\ncode\n```' : `block *${i}*`)).join('\n\n')
    const stream = new Stream()
    for (let i = 500; i < text.length + 500; i += 500) stream.render(text.slice(0, i))
    expect(view(text, stream)).toBe(view(text))
    expect(new Stream().render(text).length).toBeLessThan(200)
  })

  it('renders a block that is settled no more', () => {
    const stream = new Stream()
    let text = 'first\n\nsecond\n\nthird'
    const [first] = stream.render(text)
    stream.render((text += ' more'))
    const again = stream.render((text += '\n\nfourth'))
    expect(again[0]).toBe(stream.render((text += '!'))[0])
    expect(again[0]).toEqual(first)
    expect(again.map((b) => b.id)).toEqual([0, 1, 2, 3])
  })

  it('starts anew where the text was replaced', () => {
    const stream = new Stream()
    stream.render('a\n\nb\n\nc\n\nd')
    expect(view('x\n\ny', stream)).toEqual(view('x\n\ny'))
  })

  it('costs no more at the end of a long text than at its start', () => {
    const stream = new Stream()
    let text = 'A paragraph of a long answer, with `code`.\n\n'.repeat(4000)
    stream.render(text)
    const before = performance.now()
    for (let i = 0; i < 50; i++) stream.render((text += 'word '))
    expect(performance.now() - before).toBeLessThan(2000)
  })
})
