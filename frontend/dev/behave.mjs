// What only a real browser can show, under the policy of the window: following
// the end, holding a place, keys, and that nothing of an agent runs or navigates.
//   node dev/behave.mjs

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { serve } from './serve.mjs'

const server = await serve(fileURLToPath(new URL('../dist-dev/', import.meta.url)))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
let failed = 0

async function behaves(name, query, run) {
  const page = await browser.newPage({ viewport: { width: 1240, height: 800 } })
  const troubles = []
  page.on('pageerror', (e) => troubles.push(e.message))
  page.on('console', (m) => m.type() === 'error' && troubles.push(m.text()))
  page.on('request', (r) => r.url().startsWith(server.url) || r.url().startsWith('data:') || troubles.push(`asked for ${r.url()}`))
  try {
    await page.goto(`${server.url}?${query}`)
    await page.locator('[role=article]').last().waitFor()
    await page.evaluate(frames)
    await run(page)
    assert.deepEqual(troubles, [])
    console.log('ok  ', name)
  } catch (e) {
    failed++
    console.log('FAIL', name, e.message)
  }
  await page.close()
}

// A few frames: sizes are known then.
const frames = () => new Promise((done) => {
  let n = 8
  const next = () => (n-- > 0 ? requestAnimationFrame(next) : done())
  next()
})
const place = (page) => page.evaluate(() => {
  const box = document.querySelector('.frame .scroll')
  const top = box.getBoundingClientRect().top
  const first = [...document.querySelectorAll('[role=article]')].find((e) => e.getBoundingClientRect().bottom > top + 1)
  return { seq: Number(first.dataset.seq), at: Math.round(first.getBoundingClientRect().top - top), left: Math.round(box.scrollHeight - box.scrollTop - box.clientHeight) }
})
const near = (a, b) => assert.ok(a.seq === b.seq && Math.abs(a.at - b.at) <= 2, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`)
const wheel = async (page, by) => {
  await page.mouse.move(800, 400)
  await page.mouse.wheel(0, by)
  await page.waitForTimeout(250)
}
const core = (page, f, arg) => page.evaluate(f, arg)

await behaves('follows the end while text streams', 'scene=stream&task=t4', async (page) => {
  for (let i = 0; i < 5; i++) {
    await page.waitForTimeout(200)
    assert.ok((await place(page)).left < 30)
  }
})

await behaves('holds the place of a reader who scrolled away, and comes back', 'scene=stream&task=t4', async (page) => {
  await wheel(page, -1500)
  const there = await place(page)
  assert.ok(there.left > 500)
  await page.waitForTimeout(800)
  near(await place(page), there)
  await page.locator('.jump').click()
  await page.waitForTimeout(300)
  assert.ok((await place(page)).left < 30)
  assert.equal(await page.locator('.jump').count(), 0)
})

await behaves('counts what is new below', 'task=t5', async (page) => {
  await core(page, () => window.core.say('s5', ...Array.from({ length: 40 }, (_, i) => ({ seq: 100 + i, turn: 2, kind: 'text', key: '', at: 0, text: `new ${i}`, blocks: [], tool: null, plan: [], raw: '', late: false, marked: false }))))
  await page.evaluate(frames)
  await wheel(page, -900)
  await core(page, () => window.core.say('s5', ...Array.from({ length: 3 }, (_, i) => ({ seq: 200 + i, turn: 2, kind: 'text', key: '', at: 0, text: `newer ${i}`, blocks: [], tool: null, plan: [], raw: '', late: false, marked: false }))))
  await page.locator('.jump', { hasText: '3 new' }).waitFor({ timeout: 2000 })
})

await behaves('holds the place when what stands before is fetched', 'scene=pages&task=t1', async (page) => {
  await wheel(page, -100000)
  await page.waitForTimeout(500)
  const first = await place(page)
  assert.ok(first.seq > 1, 'the reader was thrown to the first part')
  for (let i = 0; i < 60 && (await place(page)).seq > 1; i++) await wheel(page, -100000)
  assert.equal((await place(page)).seq, 1)
})

await behaves('is where the reader was after a reload', 'scene=long&task=t1&keep=1', async (page) => {
  await wheel(page, -4000)
  const there = await place(page)
  await page.waitForTimeout(600)
  await page.goto(page.url().replace('task=t1', 'task='))
  await page.locator('[role=article]').last().waitFor()
  await page.waitForTimeout(500)
  near(await place(page), there)
})

await behaves('draws few of 10,000 rows', 'scene=long&task=t1', async (page) => {
  assert.ok((await page.locator('[role=article]').count()) < 60)
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('Home')
  await page.waitForTimeout(400)
  assert.equal((await place(page)).seq, 1)
})

await behaves('finds what is far away', 'scene=long&task=t1', async (page) => {
  await page.keyboard.press('Control+f')
  await page.keyboard.type('old endpoint working')
  await page.waitForTimeout(500)
  assert.match(await page.locator('.find .num').innerText(), /1,?429 of 1,?429/)
  await page.keyboard.press('Enter')
  await page.waitForTimeout(300)
  assert.match(await page.locator('.find .num').innerText(), /^1 of/)
  assert.equal((await place(page)).seq, 1)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.find').count(), 0)
})

await behaves('runs nothing, navigates nowhere, fetches nothing of an agent', 'scene=hostile&task=t1', async (page) => {
  const url = page.url()
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('Home')
  const seen = new Set()
  for (let i = 0; i < 80; i++) {
    await page.waitForTimeout(40)
    for (const link of await page.locator('[role=article] [data-address]').all()) {
      const address = await link.getAttribute('data-address').catch(() => null)
      if (!address || seen.has(address)) continue
      seen.add(address)
      await link.click({ timeout: 2000 }).catch(() => undefined)
      if (await page.locator('dialog').count()) {
        assert.ok((await page.locator('dialog pre').innerText()).length > 0)
        await page.keyboard.press('Escape')
      }
    }
    await wheel(page, 400)
  }
  assert.ok(seen.size > 15, `only ${seen.size} links were seen: ${[...seen].join(' ')}`)
  assert.equal(page.url(), url)
  assert.equal(await page.evaluate(() => window.pwned), undefined)
  const asked = await page.evaluate(() => window.core.calls.map((c) => `${c.part}.${c.name}`).filter((n) => !/List|Open|Get|Words|Agents/.test(n)))
  assert.deepEqual(asked, [])
})

await behaves('opens no link by middle click, key or drag', 'task=t1', async (page) => {
  const url = page.url()
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('Home')
  const link = page.locator('[data-address]').first()
  await link.click({ button: 'middle' })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.locator('dialog').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate(() => document.activeElement.dataset.address !== undefined), true)
  await page.evaluate(() => {
    const a = Object.assign(document.createElement('a'), { href: 'https://evil.example', textContent: 'planted' })
    document.querySelector('header').append(a)
  })
  await page.getByText('planted').click()
  await page.locator('dialog', { hasText: 'evil.example' }).waitFor()
  assert.equal(page.url(), url)
  assert.equal(page.context().pages().length, browser.contexts().flatMap((c) => c.pages()).length - (browser.contexts().length - 1))
})

await behaves('is used by keyboard alone', 'task=t2', async (page) => {
  await page.waitForTimeout(500)
  await page.keyboard.press('2')
  await page.waitForTimeout(100)
  const asked = (name) => page.evaluate((n) => window.core.asked(n), name)
  assert.deepEqual(await asked('Tasks.Decide'), [['s2', 'a1', 'always']])
  await page.keyboard.press('Control+.')
  assert.deepEqual(await asked('Tasks.Cancel'), [['s2']])
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await page.keyboard.type('n is a letter here')
  await page.keyboard.press('Control+Enter')
  await page.waitForTimeout(100)
  assert.equal((await asked('Tasks.Send')).at(-1)[1].text, 'n is a letter here')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(100)
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
})

await behaves('moves no focus by itself', 'task=t4', async (page) => {
  await page.keyboard.press('c')
  await page.keyboard.type('half')
  await core(page, () => window.core.change('s4', { asks: window.core.sessions.get('s2').asks }))
  await page.locator('[id^=ask-]').waitFor()
  await page.keyboard.type(' a 1 thought')
  assert.equal(await page.getByRole('textbox', { name: /Message/ }).inputValue(), 'half a 1 thought')
  assert.deepEqual(await page.evaluate(() => window.core.asked('Tasks.Decide')), [])
})

await behaves('announces a change of state once', 'task=t4', async (page) => {
  const said = await page.evaluate(async () => {
    const live = document.querySelector('p.unseen[role=status]')
    const heard = []
    new MutationObserver(() => heard.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true })
    const row = window.core.rows.get('t4')
    for (let i = 0; i < 30; i++) window.core.change('s4', { row: { ...row, phase: 'quiet', updated: i } })
    await new Promise((done) => setTimeout(done, 1500))
    return heard
  })
  assert.deepEqual(said, ['Quiet'])
})

await browser.close()
server.close()
process.exitCode = failed === 0 ? 0 : 1
