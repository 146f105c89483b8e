// Bad input: strangers, huge and odd texts, and data that cannot be opened.

import assert from 'node:assert/strict'
import { chmod, chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { bridge, place } from './lib/bridge.mjs'
import { looks } from './lib/looks.mjs'
import { open, until, visit } from './lib/page.mjs'

// The status of a request with headers that a browser would not send.
const status = (url, headers, method = 'GET', body = '') =>
  new Promise((done, fail) => request(url, { method, headers, agent: false }, (answer) => (answer.resume(), done(answer.statusCode))).on('error', fail).end(body))

test('a stranger gets nothing from the bridge', async (t) => {
  const served = await bridge(t, await place(t))
  const at = `http://${served.host}`
  const call = JSON.stringify({ name: 'window.Settings.Get', args: [] })
  assert.equal(await status(`${at}/`, {}), 401)
  assert.equal(await status(`${at}/?token=guessed`, {}), 401)
  assert.equal(await status(`${at}/bridge/events`, {}), 401)
  assert.equal(await status(`${at}/bridge/call`, {}, 'POST', call), 401)
  const mine = { 'X-Bridge-Token': served.token }
  assert.equal(await status(`${at}/bridge/call`, mine, 'POST', call), 200)
  assert.equal(await status(`${at}/bridge/call`, { ...mine, Origin: 'https://attacker.example' }, 'POST', call), 403)
  assert.equal(await status(`${at}/bridge/call`, { ...mine, Origin: 'null' }, 'POST', call), 403)
  assert.equal(await status(`${at}/`, { ...mine, Host: 'attacker.example' }), 403)
})

test('a page of another origin reads nothing', async (t) => {
  const served = await bridge(t, await place(t))
  const other = await bridge(t, await place(t))
  const w = await visit(t, other, { allow: [/./] })
  const got = await w.page.evaluate(async ([host, token]) => {
    try {
      return (await fetch(`http://${host}/bridge/call`, { method: 'POST', headers: { 'X-Bridge-Token': token }, body: '{}' })).status
    } catch (reason) {
      return reason.name
    }
  }, [served.host, served.token])
  assert.equal(got, 'TypeError')
})

test('a message of 5 MB is shown and does not stop the page', async (t) => {
  const w = await open(t)
  await w.ask('big 5000000')
  await w.reaches('Done')
  await w.says('A line of a very long message')
  await w.page.keyboard.press('Control+k')
  await w.page.getByRole('dialog').waitFor() // the page answers
  await w.page.keyboard.press('Escape')
  await looks(w.page, 'big')
  const whole = await w.page.evaluate(async () => {
    const { rows } = await window.go.window.Tasks.List(false)
    const opened = await window.go.window.Tasks.Open(rows[0].task, '')
    const part = opened.page.parts.find((p) => p.kind === 'text')
    return (await window.go.window.Tasks.Part(rows[0].session, part.seq)).text.endsWith('the very end')
  })
  assert.ok(whole, 'nothing of it is lost')
})

test('a prompt of 5 MB is sent whole', async (t) => {
  const w = await open(t)
  await w.play('ok', 'Short')
  await w.reaches('Done')
  // As a paste puts it there; typing so much takes the browser minutes.
  await w.page.getByRole('textbox', { name: /^Message/ }).evaluate((box) => {
    box.value = 'A line of a long prompt, as somebody pastes it.\n'.repeat(110_000)
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    box.focus()
  })
  await w.page.keyboard.press('Control+Enter')
  // The first prompt is far above what is drawn: the core is asked.
  await until('the second answer', () => w.page.evaluate(async () => {
    const { rows } = await window.go.window.Tasks.List(false)
    const { page } = await window.go.window.Tasks.Open(rows[0].task, '')
    return page.parts.filter((p) => p.kind === 'text').length === 2
  }))
  await w.reaches('Done')
  await looks(w.page, 'big-prompt')
})

test('a word without end breaks where it must', async (t) => {
  const w = await open(t)
  await w.ask('word')
  await w.reaches('Done')
  await w.says('www')
  await looks(w.page, 'word')
})

test('text from right to left stands to the right', async (t) => {
  const w = await open(t)
  await w.ask('rtl')
  await w.reaches('Done')
  const side = await w.page.evaluate(() => {
    const p = [...document.querySelectorAll('.prose p, .prose li')].find((e) => e.textContent.includes('مرحبا'))
    return getComputedStyle(p).direction
  })
  assert.equal(side, 'rtl')
  await looks(w.page, 'rtl')
})

test('damaged data are set aside, and the app starts with new ones', async (t) => {
  const at = await place(t)
  await mkdir(at.data, { mode: 0o700 })
  await writeFile(join(at.data, 'history.db'), 'this is no database'.repeat(1000))
  const w = await open(t, { at })
  await w.page.getByText('was damaged').first().waitFor()
  assert.ok((await readdir(at.data)).some((name) => name.includes('damaged')), 'it is kept')
  await looks(w.page, 'damaged')
  await w.play('ok')
  await w.reaches('Done')
})

test('data that may not be written are an error that says so', { skip: process.getuid?.() !== 0 && 'another user is needed, which only root can be' }, async (t) => {
  const at = await place(t)
  await mkdir(at.data, { mode: 0o755 })
  await chmod(at.root, 0o755)
  const program = join(at.root, 'bridge')
  await copyFile(process.env.TURNWATCH_TEST_BRIDGE, program)
  await chmod(program, 0o755)
  await chown(at.folder, 65534, 65534)
  const served = await bridge(t, at, { program, spawnWith: { uid: 65534, gid: 65534 } })
  const w = await visit(t, served)
  await w.page.getByRole('heading', { name: 'The history could not be opened' }).waitFor()
  const text = await w.page.locator('main').innerText()
  assert.ok(text.includes(at.data), text)
  assert.match(text, /permission|written/i)
  await looks(w.page, 'read-only')
  await chmod(at.data, 0o777)
  await w.page.keyboard.press('Control+,')
})
