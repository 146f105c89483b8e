// Sixty attacks in Markdown, links and markup: none runs, none navigates, none
// reaches a bound method, and nothing is asked of anybody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open } from './lib/page.mjs'

test('nothing of an agent runs, loads, navigates or calls', async (t) => {
  const w = await open(t)
  const { page } = w
  await page.evaluate(() => {
    window.asked = []
    for (const [part, methods] of Object.entries(window.go.window))
      for (const [name, call] of Object.entries(methods)) methods[name] = (...args) => (window.asked.push(`${part}.${name}`), call(...args))
  })
  await w.play('hostile-markdown')
  await w.reaches('Done')
  const url = page.url()
  const before = w.asked.length
  await page.evaluate(() => (window.asked.length = 0))

  // From the top down: every row comes to stand in the page, every link is followed.
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('Home')
  const followed = new Set()
  let text = ''
  for (let at = -1; ; ) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    text += await w.said()
    for (const link of await page.locator('.frame [data-address], .frame a').all()) {
      const address = await link.getAttribute('data-address').catch(() => null)
      if (address === null || followed.has(address)) continue
      followed.add(address)
      for (const button of ['middle', 'left']) {
        await link.scrollIntoViewIfNeeded()
        await link.click({ button })
      }
      const sheet = page.getByRole('dialog')
      await sheet.waitFor()
      assert.ok(address.startsWith((await sheet.locator('pre').innerText()).trim().slice(0, 8)) || address.trim() === '', address)
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
    const now = await page.evaluate(() => {
      const box = document.querySelector('.frame .scroll')
      box.scrollTop += box.clientHeight * 0.7
      return box.scrollTop
    })
    if (now === at) break
    at = now
  }
  assert.ok(followed.size >= 8, `only ${[...followed].join(' ')} were links`)
  assert.match(text, /window\.pwned/, 'attacks are shown as text')
  assert.match(text, /deep/)

  const found = await page.evaluate(() => ({
    pwned: window.pwned,
    owned: ['script[src*=attacker]', 'iframe', 'object', 'embed', 'form[action*=attacker]', 'base', 'meta[http-equiv]', '.frame img', '.frame svg script', '.frame style', '.frame link', '.frame video', '.frame audio', '.frame input:not([type=checkbox])', '.frame a[href]'].filter((s) => document.querySelector(s)),
    handlers: [...document.querySelectorAll('.frame *')].flatMap((e) => [...e.attributes].filter((a) => /^on|^style$/i.test(a.name) && e.closest('.prose')).map((a) => `${e.tagName} ${a.name}`)),
    title: document.title,
  }))
  assert.deepEqual(found, { pwned: undefined, owned: [], handlers: [], title: 'Turnwatch' })
  assert.equal(page.url(), url)
  assert.equal(w.context.pages().length, 1)
  assert.deepEqual(w.served.opened, [])
  const quiet = /^(Tasks\.(List|Open|Earlier|Part)|Settings\.KeepPage)$/ // the last keeps the place of the reader
  assert.deepEqual((await page.evaluate(() => window.asked)).filter((n) => !quiet.test(n)), [])
  assert.deepEqual(w.asked.slice(before).filter((u) => !/\/bridge\/(call|events)$/.test(u)), [])
  await looks(page, 'hostile')
})

test('what is planted in the page by other means is not followed either', async (t) => {
  const w = await open(t)
  const url = w.page.url()
  await w.page.evaluate(() => {
    document.querySelector('main').insertAdjacentHTML('afterbegin', `<a href="https://attacker.example/">planted</a>
      <form action="https://attacker.example/"><button>send</button></form><img src="https://attacker.example/pixel.gif">
      <iframe src="https://attacker.example/"></iframe><svg><a xlink:href="https://attacker.example/"><text y="20">drawn</text></a></svg>`)
  })
  await w.page.getByText('planted').click()
  await w.page.getByRole('dialog').getByText('attacker.example', { exact: true }).waitFor()
  await w.page.keyboard.press('Escape')
  await w.page.getByRole('button', { name: 'send' }).click()
  assert.equal(w.page.url(), url)
  // The policy says so in the console: that it was kept is what is shown here.
  const kept = w.troubles.filter((x) => /Content Security Policy/.test(x))
  assert.ok(kept.length >= 1)
  w.troubles.splice(0, w.troubles.length, ...w.troubles.filter((x) => !/Content Security Policy/.test(x) && !/asked for https:\/\/attacker/.test(x)))
})
