// The card of a limit where it is hard to draw, the list of failed sessions, and
// that nothing of a raw channel comes onto the page or into the data folder.

import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

const limited = { hasText: /The usage limit of \S+ is reached\./ }

/** Every byte below a folder. */
async function bytes(folder) {
  let all = ''
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    if ((await stat(path)).isFile()) all += await readFile(path, 'latin1')
  }
  return all
}

test('nothing of a raw channel is on the page, in the log or in the data', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('secrets', 'Fail by a record')
  await page.locator('section.card', limited).waitFor()
  const clean = async (where) => {
    for (const summary of await page.locator('section.card summary').all()) await summary.click()
    assert.ok(!(await page.content()).includes('CANARY'), `a secret is on the page ${where}`)
    assert.ok(!(await page.content()).includes('wrk_'), `an account is on the page ${where}`)
  }
  await clean('after a record')
  for (const [prompt, heading] of [['Fail by an error', /./], ['Fail by its exit', /The agent ended in the middle of the turn\./]]) {
    await page.getByRole('textbox', { name: /^Message/ }).fill(prompt)
    await page.keyboard.press('Control+Enter')
    await w.says(prompt)
    await w.reaches('Needs you')
    await page.locator('section.card', { hasText: heading }).waitFor()
    await clean(`after "${prompt}"`)
  }
  await page.getByRole('button', { name: 'What went wrong' }).click()
  await page.getByRole('region', { name: 'What went wrong' }).getByText('The agent ended in the middle').waitFor()
  await clean('in the list')
  assert.ok(!w.served.said().includes('CANARY'), 'a secret is in the log')
  await w.served.close()
  const kept = await bytes(w.data)
  assert.ok(kept.length > 10_000, 'there is something to look at')
  assert.ok(!kept.includes('CANARY'), 'a secret is in the data folder')
  w.troubles.length = 0 // the bridge is gone, and the page says so
})

test('a card holds a long name, at every width, at twice the text and in another language', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('secrets', 'Fail by a record')
  const card = page.locator('section.card').first()
  await card.waitFor()
  const model = (await card.getByRole('heading').innerText()).match(/\S{90,}/)?.[0]
  assert.ok(model, 'the name of the model is long')
  for (const summary of await card.locator('summary').all()) await summary.click()
  const text = (percent) => page.evaluate((p) => document.documentElement.style.setProperty('font-size', p), percent ? `${percent}%` : '')
  for (const tag of ['en', 'en-XA']) {
    await page.evaluate((language) => window.go.window.Settings.Get().then((p) => window.go.window.Settings.Set({ ...p, language })), tag)
    await page.reload()
    await card.waitFor()
    await until('the language', async () => (await page.evaluate(() => document.documentElement.lang)) === tag)
    for (const summary of await card.locator('summary').all()) await summary.click()
    for (const percent of [0, 200]) {
      await text(percent)
      await card.scrollIntoViewIfNeeded()
      await looks(page, `limit-${tag}-${percent || 100}`)
    }
    await text(0)
  }
})

test('the list of failed sessions shows the same card, and is done with by Dismiss', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('limit', 'First')
  await page.locator('section.card', limited).waitFor()
  await w.play('empty-end', 'Second')
  await w.reaches('Needs you')
  await w.play('crash', 'Third')
  await page.locator('section.card').waitFor()
  const shown = await page.locator('section.card').innerText()
  await page.getByRole('button', { name: 'What went wrong' }).click()
  const list = page.getByRole('region', { name: 'What went wrong' })
  await list.getByRole('article').first().waitFor()
  assert.deepEqual(await list.getByRole('article').evaluateAll((all) => all.map((a) => a.getAttribute('aria-label'))), ['Third', 'First'])
  assert.equal(await list.getByRole('article', { name: 'Third' }).locator('section.card').innerText(), shown, 'the very same card')
  await looks(page, 'failed')
  await list.getByRole('article', { name: 'Third' }).getByRole('button', { name: 'Dismiss' }).click()
  await until('one is gone', async () => (await list.getByRole('article').count()) === 1)

  // The reset passes: the row and the card say so, and nothing is done.
  const started = await page.evaluate(() => window.go.window.Tasks.List(false).then((l) => l.rows.filter((r) => r.state === 'running').length))
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
  await page.reload()
  await page.locator('button.row[title="First"]').getByText('Capacity should be back').waitFor()
  await page.locator('button.row[title="First"]').click()
  await page.locator('section.card').getByText(/capacity should be back\./).waitFor()
  assert.equal(started, await page.evaluate(() => window.go.window.Tasks.List(false).then((l) => l.rows.filter((r) => r.state === 'running').length)))
})
