// What has gone wrong, what is known of it, and what can be done.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

test('a limit says when there is more, and opens its link outside the page only', async (t) => {
  const w = await open(t)
  await w.play('limit')
  const card = w.page.locator('section.card', { hasText: /The usage limit (of \S+ )?is reached\./ })
  await card.waitFor()
  const text = await card.innerText()
  assert.match(text, /more capacity/i)
  assert.match(text, /Resume/)
  assert.match(text, /Start fresh/)
  await looks(w.page, 'limit')
  assert.match(text, /Nothing is retried until you say so\./)
  for (const summary of await card.locator('summary').all()) await summary.click()
  assert.match(await card.innerText(), /error output at .+ \(rule /, 'the channel, the time and the rule of the evidence')
  await looks(w.page, 'limit-details')
  const before = w.asked.length
  await card.getByRole('button', { name: /Open opencode\.ai/ }).click()
  await until('the link', () => w.served.opened.length > 0)
  assert.equal(w.served.opened.length, 1)
  assert.match(w.served.opened[0], /^https:\/\/opencode\.ai\/workspace\/[\w-]+\/go$/)
  assert.equal(new URL(w.page.url()).host, w.served.host)
  assert.deepEqual(w.asked.slice(before).filter((u) => !u.endsWith('/bridge/call')), [])
  assert.ok(!(await w.page.content()).includes('opencode.ai/workspace'), 'the page never has the address')

  await w.page.reload()
  await card.waitFor()
  await card.getByRole('button', { name: 'Start fresh' }).click()
  const box = w.page.getByRole('textbox', { name: /^Message/ })
  await until('the prompt as a draft', async () => (await box.inputValue()) === 'Play limit')
  assert.equal(await card.count(), 0)
  assert.ok(await w.page.getByLabel('Sessions of this task').count())
})

test('a crash names itself and is gone after it went well', async (t) => {
  const w = await open(t)
  await w.play('crash')
  const card = w.page.locator('section.card', { hasText: 'The agent ended in the middle of the turn.' })
  await card.waitFor()
  assert.ok(!(await card.innerText()).includes('goroutine'), 'no raw text of the agent')
  await looks(w.page, 'crash')
  await w.page.getByRole('textbox', { name: /^Message/ }).fill('/ok')
  await w.page.keyboard.press('Control+Enter')
  await w.says('This is the demo agent of Turnwatch.')
  await w.reaches('Done')
  assert.equal(await card.count(), 0)
})

test('a turn that ended without output is neither done nor failed', async (t) => {
  const w = await open(t)
  await w.play('empty-end')
  await w.says('The agent ended without any output')
  await w.reaches('Needs you')
  await looks(w.page, 'ended-empty')
})

test('an agent that never starts fails after five minutes', async (t) => {
  const w = await open(t)
  await w.play('never-starts')
  await w.reaches('Working')
  w.served.later('6m30s')
  const card = w.page.locator('section.card', { hasText: 'never started to work' })
  await card.waitFor()
  assert.match(await card.innerText(), /Start fresh/)
  await looks(w.page, 'never-started')
})

test('a failure whose link comes in the answer has the link', async (t) => {
  const w = await open(t)
  await w.play('action-url')
  await w.page.getByRole('button', { name: /Open opencode\.ai/ }).click()
  await until('the link', () => w.served.opened.length > 0)
  await w.page.getByRole('button', { name: 'Dismiss' }).click()
  await until('no card', async () => (await w.page.locator('section.card').count()) === 0)
})
