import { describe, expect, it } from 'vitest'
import { refusal } from './attach'
import { complete, wantedAt } from './suggest'

describe('wantedAt', () => {
  it.each([
    ['/', 1, 'command', ''],
    ['/rev', 4, 'command', 'rev'],
    ['/rev now', 8, undefined, ''],
    ['a /rev', 6, undefined, ''],
    ['@', 1, 'file', ''],
    ['see @src/b', 10, 'file', 'src/b'],
    ['see @src/b then', 15, undefined, ''],
    ['mail a@b', 8, undefined, ''],
    ['x\n@y', 4, 'file', 'y'],
  ])('in %j at %i', (text, caret, kind, query) => {
    const w = wantedAt(text, caret)
    expect(w?.kind).toBe(kind)
    expect(w?.query ?? '').toBe(query)
  })

  it('puts the word in, and the caret after it', () => {
    const text = 'see @bi and go'
    const w = wantedAt(text, 7)!
    expect(complete(text, 7, w, 'src/billing.ts')).toEqual({ text: 'see @src/billing.ts and go', caret: 20 })
    expect(complete('/re', 3, wantedAt('/re', 3)!, 'review')).toEqual({ text: '/review ', caret: 8 })
  })
})

describe('refusal', () => {
  const png = { name: 'a.png', type: 'image/png', size: 10 }
  const txt = { name: 'a.txt', type: 'text/plain', size: 10 }
  it.each([
    ['an image that is taken', png, { known: true, images: true, embeds: false }, 0, undefined],
    ['an image that is not', png, { known: true, images: false, embeds: true }, 0, 'ui.attach.no_images'],
    ['a file that is taken', txt, { known: true, images: false, embeds: true }, 0, undefined],
    ['a file that is not', txt, { known: true, images: true, embeds: false }, 0, 'ui.attach.no_files'],
    ['markup that claims to be an image', { ...png, type: 'image/svg+xml' }, { known: true, images: true, embeds: false }, 0, 'ui.attach.no_files'],
    ['a file that is too big', { ...txt, size: 10_000_001 }, { known: true, images: true, embeds: true }, 0, 'ui.attach.too_big'],
    ['one file too many', txt, { known: true, images: true, embeds: true }, 20, 'ui.attach.too_many'],
  ])('%s', (_name, file, takes, have, key) => expect(refusal(file, takes, have)?.key).toBe(key))
})
