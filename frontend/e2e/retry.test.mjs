// A failed prompt is sent again by itself: seen, stopped, hurried.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

const overloaded = (page) => page.locator('section.card', { hasText: 'overloaded' })

test('the countdown runs out and the prompt is sent again, twice, until it is answered', async (t) => {
  const w = await open(t)
  await w.play('overload-asks')
  const card = overloaded(w.page)
  await card.getByText(/^The prompt is sent again in \d+ min/).waitFor()
  await card.getByText('Try 1 of 5').waitFor()
  const row = w.page.locator('.tasks button.row').first()
  await row.getByText(/Retrying in \d+ min/).waitFor()
  assert.equal(await w.page.getByRole('group', { name: /^The prompt is sent again at/ }).count(), 1, 'one countdown on the card')
  await until('the announcement', async () => (await w.page.locator('[role=status].unseen').allInnerTexts()).some((x) => x.includes('sent again by itself soon')))
  w.served.later('7m')
  await card.getByText('Try 2 of 5').waitFor()
  w.served.later('7m')
  await w.says('The provider has room again.')
  await w.reaches('Done')
  assert.equal(await card.count(), 0)
  assert.equal(await w.page.getByText(/^Sent again by Turnwatch, try [12]$/).count(), 2, 'each prompt that was sent again says so')
})

test('Cancel and Retry now: by pointer and by key, at every width', async (t) => {
  const w = await open(t)
  await w.play('overload-asks')
  const card = overloaded(w.page)
  await card.getByRole('button', { name: 'Retry now' }).waitFor()
  await looks(w.page, 'retry')
  await card.getByRole('button', { name: 'Retry now' }).click()
  await card.getByText('Try 2 of 5').waitFor()
  await card.getByRole('button', { name: 'Cancel' }).focus()
  await w.page.keyboard.press('Enter')
  await card.getByRole('button', { name: 'Send again' }).waitFor()
  assert.equal(await card.getByRole('button', { name: 'Retry now' }).count(), 0)
  await w.reaches('Needs you')
  await looks(w.page, 'retry-stopped')
  await w.page.reload()
  await card.getByRole('button', { name: 'Send again' }).click()
  await w.says('The provider has room again.')
  assert.equal(await w.page.locator('.me').count(), 3, 'sent, sent again, and sent by hand')
})

test('Escape stops it, and so does another prompt', async (t) => {
  const w = await open(t)
  await w.play('overload-asks')
  const card = overloaded(w.page)
  await card.getByRole('button', { name: 'Retry now' }).waitFor()
  await w.page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Send again' }).waitFor()
  await card.getByRole('button', { name: 'Send again' }).click()
  await card.getByText('Try 1 of 5').waitFor()
  const box = w.page.getByRole('textbox', { name: /^Message/ })
  await box.fill('/ok')
  await w.page.keyboard.press('Control+Enter')
  await w.says('This is the demo agent of Turnwatch.')
  await w.reaches('Done')
  w.served.later('1h')
  assert.equal(await w.page.locator('.me').count(), 3)
})

test('a reload in the middle changes nothing', async (t) => {
  const w = await open(t)
  await w.play('overload-asks')
  const card = overloaded(w.page)
  await card.getByText('Try 1 of 5').waitFor()
  await w.page.reload()
  await card.getByText('Try 1 of 5').waitFor()
  await card.getByRole('button', { name: 'Retry now' }).click()
  await card.getByText('Try 2 of 5').waitFor()
  assert.equal(await w.page.locator('.me').count(), 2)
  await w.page.keyboard.press('Control+.')
  await card.getByRole('button', { name: 'Send again' }).waitFor()
})
