// The list, its tasks, and long histories.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

const row = (page, title) => page.locator(`button.row[title="${title}"]`)
const there = (page, title, n) => until(`${n} of ${title}`, async () => (await row(page, title).count()) === n)
const opens = async (page, title) => {
  await row(page, title).click()
  await page.getByRole('article', { name: title, exact: true }).waitFor()
}

test('a task is renamed, put away, brought back, deleted and undeleted', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('ok', 'Before')
  await w.reaches('Done')
  await page.keyboard.press('r')
  await page.getByLabel('Title of the task').fill('After all')
  await looks(page, 'rename')
  await page.keyboard.press('Enter')
  await there(page, 'After all', 1)
  assert.equal(await page.locator('.task h1').innerText(), 'After all')
  await page.getByLabel('More for this task').click()
  await looks(page, 'menu')
  await page.keyboard.press('Escape')

  await page.keyboard.press('e')
  await there(page, 'After all', 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await there(page, 'After all', 1)
  await opens(page, 'After all')
  await page.keyboard.press('e')
  await there(page, 'After all', 0)
  await page.reload()
  // Though nothing else is there, what was put away can be reached.
  await page.getByRole('button', { name: 'Show archived' }).click()
  await opens(page, 'After all')
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Back to all tasks' }).click()
  await opens(page, 'After all')
  await page.getByLabel('More for this task').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await there(page, 'After all', 0)
  await page.locator('.toast', { hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }).click()
  await there(page, 'After all', 1)
  await opens(page, 'After all')
  await w.says('This is the demo agent of Turnwatch.')
})

test('a thousand tasks are a list like any other', async (t) => {
  const w = await open(t, { args: ['--tasks', '1000'] })
  const { page } = w
  await row(page, 'Task number 1000').waitFor()
  assert.ok((await page.locator('button.row').count()) < 80, 'only what is seen is drawn')
  await looks(page, 'many')
  await page.getByLabel('Filter by title, agent or folder').fill('number 777')
  await there(page, 'Task number 777', 1)
  await row(page, 'Task number 777').click()
  await w.says('Part 2 of the transcript.')
  await page.getByLabel('Filter by title, agent or folder').fill('nobody has this')
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Filter by title, agent or folder').fill('')
  await page.locator('.tasks .scroll').evaluate((e) => (e.scrollTop = e.scrollHeight))
  await row(page, 'Task number 1').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('number 512')
  await page.keyboard.press('Enter')
  await w.says('Do thing 512')
})

test('ten thousand parts are read, found and left at any place', async (t) => {
  const w = await open(t, { args: ['--tasks', '1', '--parts', '10000'] })
  const { page } = w
  await row(page, 'Task number 1').click()
  await w.says('Part 10000 of the transcript.')
  assert.ok((await page.locator('[role=article][data-seq]').count()) < 80, 'only what is seen is drawn')
  await looks(page, 'long')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('Part 4321 of')
  await until('the place', async () => (await w.said()).includes('Part 4321 of'), 60_000)
  await looks(page, 'find')
  await page.keyboard.press('Escape')
  const first = () => page.evaluate(() => {
    const top = document.querySelector('.frame .scroll').getBoundingClientRect().top
    return Number([...document.querySelectorAll('[data-seq]')].find((e) => e.getBoundingClientRect().bottom > top + 1).dataset.seq)
  })
  const at = await first()
  assert.ok(at > 4200 && at < 4400, `${at} is where the reader is`)
  await until('its place is kept', async () => (await page.evaluate(() => window.go.window.Settings.Page())).includes('"seq":43'))
  await page.reload()
  await until('the same place', async () => Math.abs(((await page.locator('[data-seq]').count()) ? await first() : 0) - at) <= 1)
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('End')
  await w.says('Part 10000 of the transcript.')
})

test('the palette and the sheet of shortcuts have every action', async (t) => {
  const w = await open(t, { args: ['--tasks', '3'] })
  const { page } = w
  await row(page, 'Task number 3').waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog')
  for (const name of ['New task', 'Cancel turn', 'Find in the transcript', 'Rename', 'Keyboard shortcuts']) await sheet.getByText(name, { exact: true }).first().waitFor()
  await looks(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await looks(page, 'palette')
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await until('the dark theme', () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'))
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await w.says('Do thing 2')
  await page.keyboard.press('k')
  await w.says('Do thing 3')
  await page.keyboard.press('Alt+h')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.keyboard.press('Alt+t')
  await w.says('Do thing 3')
})

test('the history is searched, and a turn is read', async (t) => {
  const w = await open(t, { args: ['--tasks', '120', '--parts', '40'] })
  const { page } = w
  await page.keyboard.press('Alt+h')
  await page.locator('.past').first().waitFor()
  await looks(page, 'history')
  await page.getByLabel('Search all turns').fill('thing 77')
  await until('one turn', async () => {
    const turns = await page.locator('.past').allInnerTexts() // all at once: the list is drawn anew meanwhile
    return turns.length === 1 && /Task number 77/.test(turns[0])
  })
  await page.getByLabel('Search all turns').fill('Part 39 of')
  await until('the hit', async () => /Task number 120/.test(await page.locator('.history .list').innerText()))
  await page.locator('.past').first().click()
  await page.locator('.history .turn').getByText('Part 2 of the transcript.').waitFor()
  await looks(page, 'history-turn')
  await page.getByLabel('Outcome').selectOption('failed')
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Outcome').selectOption('')
  await page.getByRole('button', { name: 'Open the task' }).click()
  await w.says('Part 40 of the transcript.')
})

test('settings change at once and stay', async (t) => {
  const w = await open(t, { args: ['--tasks', '1'] })
  const { page } = w
  await page.keyboard.press('Control+,')
  await page.getByText(w.data, { exact: true }).waitFor()
  await looks(page, 'settings')
  const theme = () => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor].join(' '))
  const seen = new Set()
  for (const name of ['Light', 'Dark']) {
    await page.getByText(name, { exact: true }).click()
    await until(`the theme ${name}`, async () => (await theme()).startsWith(name.toLowerCase()))
    seen.add(await theme())
  }
  assert.equal(seen.size, 2)
  await page.getByLabel('Language').selectOption('en-XA')
  await until('other words', async () => !(await page.locator('.body').innerText()).includes('Everything is kept on this computer'))
  await looks(page, 'pseudo')
  await page.reload()
  await page.keyboard.press('Control+,')
  await until('the choice', async () => (await page.locator('#language').inputValue()) === 'en-XA')
  assert.match(await theme(), /^dark/)
  await page.locator('#language').selectOption('')
  await page.getByText('Everything is kept on this computer').waitFor()
})
