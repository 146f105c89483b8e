// Every screen in every language that there is, in a narrow window and a wide one:
// no text is cut off, lies on other text or leaves the window.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { chromium } from 'playwright-core'
import { fits, open, page as build, screens, speak, tags, widths } from '../dev/screens.mjs'
import { serve } from '../dev/serve.mjs'
import { clipped } from './lib/clipped.mjs'

const wanted = (process.env.SCREENS ?? '').split(',').filter(Boolean)
// Nothing fails because a machine is slow.
const enough = Number(process.env.PATIENCE ?? 180_000)
let folder
let server
let browser

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwatch-languages-'))
  await build(folder)
  server = await serve(folder + '/')
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'], timeout: enough })
})
after(async () => {
  await browser?.close()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('text fits in every language', { concurrency: 2 }, () => {
  for (const shot of screens) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue
    test(shot.name, async () => {
      const bad = []
      for (const width of Object.keys(widths).map(Number)) {
        if (!fits(shot, width)) continue
        const page = await open(browser, server.url, shot, width, enough)
        for (const tag of await tags(page)) {
          await speak(page, tag)
          assert.equal(await page.evaluate(() => document.documentElement.dir), tag === 'ar' ? 'rtl' : 'ltr')
          for (const trouble of await found(page)) bad.push(`${tag} at ${width}: ${trouble}`)
        }
        await page.close()
      }
      assert.deepEqual(bad, [])
    })
  }
})

// The measure itself: what it must find, and what it must let be.
test('unreadable text is found', async (t) => {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
  const line = (style, text = 'a long line of words') => `<p style="margin:0;white-space:nowrap;${style}">${text}</p>`
  for (const [name, html, wanted] of [
    ['text that fits', '<button>Save</button>', null],
    ['text cut off by its box', line('width:40px;overflow:hidden'), /^cut off by p/],
    ['text shortened on purpose', line('width:40px;overflow:hidden;text-overflow:ellipsis'), null],
    ['text that can be scrolled to', line('width:40px;overflow:auto'), null],
    ['text cut off below', '<div style="height:20px;overflow:hidden;line-height:16px;width:60px">one two three four five six</div>', /^cut off below/],
    ['text outside the window', line('position:relative;left:350px'), /^outside the window/],
    ['text that spills out of a button', '<button style="width:40px;padding:0;white-space:nowrap;justify-content:start">Allow for this session</button>', /^spills out of button/],
    ['text on other text', line('') + line('margin-top:-14px'), /^on one another/],
    ['controls on one another', '<div style="display:flex"><button style="padding:0 30px">One</button><button style="padding:0 30px;margin-left:-20px">Two</button></div>', /^overlap/],
    ['a field that does not show its hint', '<input style="width:40px" placeholder="Filter by title">', /^cut off in input/],
    ['a choice that does not show itself', '<select style="width:40px"><option>Any outcome</option></select>', /^cut off in select/],
    ['a word with a letter a line', '<div style="width:10px;overflow-wrap:anywhere">テーマ</div>', /^squeezed/],
    ['what nobody sees', line('width:40px;overflow:hidden;visibility:hidden'), null],
  ]) {
    await t.test(name, async () => {
      await page.setContent(`<!doctype html><body style="margin:8px">${html}`)
      const bad = await page.evaluate(clipped)
      if (wanted) assert.match(bad[0] ?? 'nothing', wanted)
      else assert.deepEqual(bad, [])
    })
  }
  await page.close()
})

test('Arabic is the mirror image, but for code', async () => {
  for (const width of Object.keys(widths).map(Number)) {
    const page = await open(browser, server.url, screens.find((s) => s.name === 'vitals'), width, enough)
    const boxes = () => page.evaluate(() => ['nav', 'main h1', 'main textarea', 'svg[role=img]'].map((where) => {
      const r = [...document.querySelectorAll(where)].find((e) => e.checkVisibility()).getBoundingClientRect()
      return { where, start: document.dir === 'rtl' ? innerWidth - r.right : r.left }
    }))
    const english = await boxes()
    await speak(page, 'ar')
    for (const [i, box] of (await boxes()).entries()) assert.ok(Math.abs(box.start - english[i].start) < 12, `${box.where} at ${width}: ${box.start}, not ${english[i].start}`)
    const turned = (where) => page.evaluate((w) => new DOMMatrix(getComputedStyle([...document.querySelectorAll(w)].find((e) => e.checkVisibility())).transform).a, where)
    assert.equal(await turned('svg[role=img]'), -1, 'time runs from the right')
    if (width < 640) assert.equal(await turned('main header svg.turns'), -1, 'back points to the right')
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('code, pre, kbd')].filter((e) => getComputedStyle(e).direction !== 'ltr').map((e) => e.outerHTML)), [])
    await page.close()
  }
})

// What is measured anew after a change of language is given the time it takes: only
// what stays counts.
async function found(page) {
  let bad = await page.evaluate(clipped)
  for (let i = 0; bad.length > 0 && i < 5; i++) {
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    bad = await page.evaluate(clipped)
  }
  return bad
}
