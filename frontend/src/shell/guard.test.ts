import { fireEvent } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layers } from '../stores/layers.svelte'
import { guard } from './guard'

let off: () => void
beforeEach(() => {
  off = guard()
  layers.address = null
})
afterEach(() => {
  off()
  document.body.innerHTML = ''
})

function put(html: string): Element {
  document.body.innerHTML = html
  return document.body.querySelector('.x') ?? document.body.firstElementChild!
}

describe('guard', () => {
  it.each([
    ['a link', '<a href="https://evil.example/a">x</a>', 'https://evil.example/a'],
    ['a link with a target', '<a target="_blank" href="//evil.example">x</a>', '//evil.example'],
    ['something inside a link', '<a href="javascript:1"><b class="x">x</b></a>', 'javascript:1'],
    ['an area', '<map><area class="x" href="https://evil.example"></map>', 'https://evil.example'],
    ['a link in a picture', '<svg><a class="x" xlink:href="https://evil.example"></a></svg>', 'https://evil.example'],
    ['a shown address', '<a role="link" data-address="https://docs.example">x</a>', 'https://docs.example'],
  ])('shows where %s would lead, and does not go there', async (_name, html, address) => {
    expect(await fireEvent.click(put(html))).toBe(false)
    expect(layers.address?.address).toBe(address)
  })

  it.each([
    ['a middle click', (e: Element) => fireEvent(e, new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }))],
    ['dragging', (e: Element) => fireEvent(e, new Event('dragstart', { bubbles: true, cancelable: true }))],
  ])('stops %s on a link', async (_name, act) => {
    expect(await act(put('<a href="https://evil.example">x</a>'))).toBe(false)
    expect(layers.address).toBeNull()
  })

  it.each(['Enter', ' '])('shows the address on the key %j', async (key) => {
    const link = put('<a role="link" tabindex="0" data-address="https://docs.example">x</a>')
    expect(await fireEvent.keyDown(link, { key })).toBe(false)
    expect(layers.address?.address).toBe('https://docs.example')
  })

  it('stops a form', async () => {
    expect(await fireEvent.submit(put('<form action="https://evil.example"></form>'))).toBe(false)
  })

  it.each([['Files'], ['text/uri-list']])('stops a drop of %s that no field took', (type) => {
    for (const name of ['dragover', 'drop']) {
      const e = new Event(name, { bubbles: true, cancelable: true })
      Object.assign(e, { dataTransfer: { types: [type] } })
      put('<p>x</p>').dispatchEvent(e)
      expect(e.defaultPrevented).toBe(true)
    }
  })

  it('leaves everything else alone', async () => {
    expect(await fireEvent.click(put('<button>x</button>'))).toBe(true)
    expect(await fireEvent.keyDown(put('<input>'), { key: 'Enter' })).toBe(true)
    expect(layers.address).toBeNull()
  })
})
