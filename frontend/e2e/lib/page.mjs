// A page in a browser over a bridge. Whatever goes wrong in it, and whatever it
// asks of anybody else, fails the test.

import assert from 'node:assert/strict'
import { after as atEnd } from 'node:test'
import { chromium } from 'playwright-core'
import { after } from './after.mjs'
import { bridge, place, scripted } from './bridge.mjs'

// The most that anything is waited for. Nothing fails because a machine is slow, so
// it is far more than is ever needed; what is quick goes on at once.
const enough = 180_000

let browser
const launch = () => (browser ??= chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'], timeout: enough }))
atEnd(async () => (await browser)?.close())

/** Waits until f gives something true, and gives that. */
export async function until(what, f, patience = enough) {
  const end = Date.now() + patience
  for (;;) {
    const got = await f()
    if (got) return got
    if (Date.now() > end) throw new Error(`never came: ${what}`)
    await new Promise((next) => setTimeout(next, 40))
  }
}

/** Opens the page of a bridge. Its troubles must be none at the end of the test. */
export async function visit(t, served, { width = 1240, height = 800, allow = [] } = {}) {
  const context = await (await launch()).newContext({ viewport: { width, height }, reducedMotion: 'reduce', locale: 'en-GB' })
  context.setDefaultTimeout(enough)
  const page = await context.newPage()
  const origin = `http://${served.host}/`
  const troubles = []
  const asked = []
  page.on('pageerror', (e) => troubles.push(`error: ${e.message}`))
  page.on('console', (m) => m.type() === 'error' && troubles.push(`console: ${m.text()} ${m.location().url}`))
  page.on('dialog', (d) => (troubles.push(`dialog: ${d.message()}`), d.dismiss()))
  context.on('request', (r) => {
    asked.push(r.url())
    if (!r.url().startsWith(origin) && !r.url().startsWith('data:')) troubles.push(`asked for ${r.url()}`)
  })
  context.on('page', (p) => p !== page && troubles.push(`opened ${p.url()}`))
  await page.goto(served.url)
  await page.locator('.shell').waitFor()
  after(t, async () => {
    if (process.env.TURNWATCH_TEST_SHOTS) await page.screenshot({ path: `${process.env.TURNWATCH_TEST_SHOTS}/end-${t.name.replace(/\W+/g, '-')}.png` }).catch(() => undefined)
    await context.close()
    assert.deepEqual(troubles.filter((x) => !allow.some((a) => a.test(x))), [], 'the page had troubles')
  })
  return { page, context, troubles, asked, origin }
}

/** A place, a bridge and its page, with what tests do again and again. */
export async function open(t, options = {}) {
  const at = options.at ?? (await place(t))
  const served = await bridge(t, at, options)
  const seen = await visit(t, served, options)
  const { page } = seen

  /** Makes a task by a bound call, as the form does, and opens it. */
  async function task(text, { agent = 'demo', model = '', command = '' } = {}) {
    const row = await page.evaluate(
      async ([dir, kind, scenario, line, prompt]) => {
        await window.go.window.Tasks.Trust(dir)
        return window.go.window.Tasks.New({
          dir, agent: kind, command: line, title: '', options: scenario ? { model: scenario } : {}, draft: { text: prompt, files: [], blobs: [] },
        })
      },
      [at.folder, agent, model, command, text],
    )
    await page.locator(`button.row[title="${text}"]`).first().click()
    await page.getByRole('article', { name: text, exact: true }).waitFor()
    return row
  }
  const play = (scenario, text = `Play ${scenario}`) => task(text, { model: scenario })
  const ask = (text) => task(text, { agent: '', command: scripted })
  /** What the header says of the turn. */
  const state = async () => ((await page.locator('.evidence .pill').first().textContent()) ?? '').trim()
  const reaches = (name) => until(`state ${name}`, async () => (await state()).startsWith(name))
  const said = () => page.locator('.frame').innerText()
  const says = (text) => until(`text ${text}`, async () => (await said()).includes(text))
  return { ...seen, ...at, served, task, play, ask, state, reaches, said, says }
}
