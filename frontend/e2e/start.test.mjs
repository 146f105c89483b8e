// The first start, and what a reload keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scripted } from './lib/bridge.mjs'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

test('someone who starts it for the first time runs a first turn', async (t) => {
  const w = await open(t)
  const { page } = w
  await page.getByRole('heading', { name: 'Which agent should work?' }).waitFor()
  const start = page.getByRole('button', { name: /^Start/ })
  assert.ok(await start.isDisabled(), 'nothing can be started yet')
  await page.getByRole('radio', { name: /Demo/ }).check()
  const need = page.locator('#start-need')
  assert.equal(await need.textContent(), 'Choose a folder to start')
  await page.getByLabel('What should it do?').focus()
  await page.keyboard.press('Control+Enter')
  await until('the reason to stand out', async () => (await need.getAttribute('class')).includes('warn'))
  await looks(page, 'start-need')
  await page.getByRole('button', { name: 'Choose folder…' }).click()
  await until('the chosen folder', async () => (await page.getByLabel('Folder to work in').inputValue()) === w.folder)
  await page.getByLabel('What should it do?').fill('Say hello')
  await looks(page, 'first')
  await page.keyboard.press('Control+Enter')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('May an agent work in this folder?').waitFor()
  assert.match(await sheet.innerText(), /runs with your rights/)
  await looks(page, 'trust')
  await sheet.getByRole('button', { name: 'Trust the folder and start' }).click()
  await w.says('This is the demo agent of Turnwatch.')
  await w.reaches('Done')
  await looks(page, 'task')

  await page.reload()
  await w.says('This is the demo agent of Turnwatch.')
  assert.equal(await w.state(), 'Done')

  await page.keyboard.press('n')
  await page.getByLabel('What should it do?').fill('And again')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('article', { name: 'And again', exact: true }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'a folder is trusted once')
  await w.reaches('Done')
})

const dot = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') }

/** Fills in the form with a picture and starts. */
async function startWithPicture(w, agent) {
  const { page } = w
  await agent()
  await page.getByRole('button', { name: 'Choose folder…' }).click()
  await until('the chosen folder', async () => (await page.getByLabel('Folder to work in').inputValue()) === w.folder)
  await page.getByLabel('What should it do?').fill('Look at this')
  await page.locator('form.start input[type=file]').setInputFiles(dot)
  await page.getByText('dot.png').waitFor()
  await looks(page, 'first-picture')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: /Trust the folder/ }).click()
  await page.getByRole('article', { name: 'Look at this', exact: true }).waitFor()
}

test('a picture goes with the first prompt', async (t) => {
  const w = await open(t)
  await startWithPicture(w, () => w.page.getByRole('radio', { name: /Demo/ }).check())
  await w.page.locator('.me img').waitFor()
  await w.reaches('Done')
  assert.equal(await w.page.getByRole('textbox', { name: /^Message/ }).inputValue(), '')
})

test('an agent that takes no pictures gets no prompt, and that is said', async (t) => {
  const w = await open(t)
  await startWithPicture(w, async () => {
    await w.page.getByRole('radio', { name: /Other agent/ }).check()
    await w.page.getByLabel('Command line of the agent').fill(scripted)
    await w.page.getByLabel('What should it do?').focus()
  })
  await w.page.getByText('This agent takes no images: dot.png').waitFor()
  assert.equal(await w.page.getByRole('textbox', { name: /^Message/ }).inputValue(), 'Look at this')
  assert.equal(await w.page.locator('.me').count(), 0, 'nothing was sent')
})

test('trust that is refused starts nothing', async (t) => {
  const w = await open(t)
  await w.page.getByRole('radio', { name: /Demo/ }).check()
  await w.page.getByRole('button', { name: 'Choose folder…' }).click()
  await until('the chosen folder', async () => (await w.page.getByLabel('Folder to work in').inputValue()) === w.folder)
  await w.page.getByLabel('What should it do?').fill('Say hello')
  await w.page.keyboard.press('Control+Enter')
  await w.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  const list = await w.page.evaluate(() => window.go.window.Tasks.List(false))
  assert.deepEqual(list.rows ?? [], [])
  assert.deepEqual((await w.page.evaluate(() => window.go.window.Settings.Get())).trusted ?? [], [])
})

test('a reload in the middle of a stream loses and doubles nothing', async (t) => {
  const w = await open(t)
  await w.ask('count 300')
  await w.says('n20 ')
  await w.page.reload()
  await w.says('n60 ')
  await w.page.reload()
  await w.reaches('Done')
  const numbers = (await w.said()).match(/\bn\d+\b/g).map((n) => Number(n.slice(1)))
  assert.deepEqual(numbers, Array.from({ length: 300 }, (_, i) => i + 1))
})
