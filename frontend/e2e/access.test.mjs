// The main job by key alone: no test here touches the mouse.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pressUntil, round, tabTo } from './lib/keys.mjs'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

test('someone with a keyboard alone starts, trusts, answers, cancels, looks back and comes back', async (t) => {
  const w = await open(t)
  const { page } = w
  const press = (key) => page.keyboard.press(key)
  await page.getByRole('heading', { name: 'Which agent should work?' }).waitFor()
  await page.getByRole('radio', { name: /Demo/ }).waitFor()

  // Agent, folder, prompt.
  await tabTo(page, /Demo|Other agent/)
  await until('the demo agent to be chosen', async () => {
    if (await page.getByRole('radio', { name: /Demo/ }).isChecked()) return true
    await press('ArrowUp')
    return false
  })
  await tabTo(page, /Folder to work in/)
  await page.keyboard.type(w.folder)
  await tabTo(page, /What should it do/)
  await page.keyboard.type('/permission')
  await press('Control+Enter')
  await page.getByRole('dialog').getByText('May an agent work in this folder?').waitFor()
  await tabTo(page, /Trust the folder and start/)
  await press('Enter')

  // The answer to its request.
  await page.getByRole('button', { name: /Answer nothing/ }).waitFor()
  await pressUntil(page, 'Alt+1', 'the request to be answered', async () => (await page.getByRole('button', { name: /Answer nothing/ }).count()) === 0)
  await w.reaches('Done')

  // A task by the palette, cancelled by key.
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Type to search' }).waitFor()
  await page.keyboard.type('new task')
  await press('Enter')
  await until('the prompt to have the focus', () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'What should it do?'))
  await page.keyboard.type('/long-quiet-tool')
  await press('Control+Enter')
  await page.getByRole('article', { name: '/long-quiet-tool' }).waitFor()
  await w.reaches('Working')
  await press('Control+.')
  await w.reaches('Waiting')

  // History, settings, and back.
  await press('Alt+h')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.locator('.past').first().waitFor()
  await tabTo(page, /long-quiet-tool/)
  await press('Enter')
  await page.getByRole('region', { name: 'Turn', exact: true }).getByRole('button', { name: 'Open the task' }).waitFor()
  await press('Control+,')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await tabTo(page, /As the system|Light|Dark/)
  await press('ArrowRight')
  await press('ArrowRight')
  await until('the dark theme', () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'))
  await press('Alt+t')
  await page.getByRole('article', { name: '/long-quiet-tool' }).waitFor()
  assert.equal(await w.state(), 'Waiting')
})

test('wherever Tab leads, the focus can be seen', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('diff', 'Change a file')
  await w.reaches('Done')
  for (const [screen, key] of [['task', 'Alt+t'], ['history', 'Alt+h'], ['settings', 'Control+,']]) {
    await page.keyboard.press(key)
    await page.evaluate(() => document.activeElement?.blur())
    const stops = await round(page)
    assert.ok(stops.length > 5, `${screen}: Tab finds something`)
    assert.deepEqual(stops.filter((s) => !s.seen).map((s) => `${screen}: ${s.tag} ${s.name}`), [])
  }
})

test('the palette does what a card, a request and a queue offer', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('permission', 'Ask me')
  await page.getByRole('button', { name: /Answer nothing/ }).waitFor()
  await page.keyboard.press('Control+k')
  const first = page.getByRole('option').first()
  assert.match(await first.innerText(), /^Answer: /)
  await looks(page, 'palette-asks')
  await page.keyboard.press('Enter')
  await w.reaches('Done')
  await page.keyboard.press('Control+k')
  assert.equal(await page.getByRole('option', { name: /^Answer/ }).count(), 0, 'only what is possible now')
  await page.keyboard.type('settings folders trust')
  await page.keyboard.press('Enter')
  await until('the section to have the focus', () => page.evaluate(() => document.activeElement?.id === 'trusted'))
})

test('a check and who made it are reached by key; the report has no path of the user', async (t) => {
  const w = await open(t)
  const { page } = w
  const run = async (words) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await run('check this')
  const sheet = page.getByRole('dialog', { name: 'Check this computer' })
  await sheet.getByRole('button', { name: 'Copy report' }).waitFor()
  await looks(page, 'check')
  await tabTo(page, /Copy report/)
  await page.keyboard.press('Enter')
  await sheet.getByText('Copied').waitFor() // said inside the sheet, where it can be seen
  const report = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(report, /Turnwatch .*\n/)
  for (const word of [w.root, w.data, process.env.HOME ?? 'no home']) assert.ok(!report.includes(word), `the report names ${word}`)
  await page.keyboard.press('Escape')
  await run('about turnwatch')
  await page.getByRole('dialog', { name: 'About Turnwatch' }).getByText(/Apache-2.0/).waitFor()
  await looks(page, 'about')
})

test('a broken settings file is told, mended and read again', async (t) => {
  const w = await open(t)
  const { page } = w
  const file = join(w.data, 'settings.json')
  await page.keyboard.press('Control+,')
  await page.getByLabel('Dark').check({ force: true })
  await until('the dark theme', () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'))
  await writeFile(file, '{\n  "thema": "light"\n}')
  await page.getByRole('button', { name: 'Read the settings file again' }).click()
  const told = page.getByRole('region', { name: 'The settings file is not in order' })
  await told.getByText('There is no setting called “thema” (line 2). The last good settings hold.').waitFor()
  await looks(page, 'broken')
  await page.keyboard.press('Alt+t')
  await page.getByRole('status').filter({ hasText: 'The settings file is not in order' }).waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await told.getByRole('button', { name: 'Open the data folder' }).click()
  await until('the folder to be shown', () => w.served.opened.includes(w.data))
  await writeFile(file, '{\n  "theme": "light"\n}')
  await told.getByRole('button', { name: 'Read the settings file again' }).click()
  await told.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light')
})
