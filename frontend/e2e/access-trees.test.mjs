// What a screen reader is told of each screen, word for word, in e2e/trees. After
// a wanted change: TURNWATCH_TEST_TREES=keep node --test e2e/access-trees.test.mjs

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { place } from './lib/bridge.mjs'
import { open, until } from './lib/page.mjs'
import { sameTree } from './lib/tree.mjs'

/** A page on a machine that has no agents and no desktop around it. */
async function alone(t, options = {}) {
  const at = await place(t)
  const none = join(at.root, 'none')
  await mkdir(none)
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(GO|TURNWATCH_|TMP|SystemRoot|windir)/i.test(name)))
  const w = await open(t, { at, spawnWith: { env: { ...kept, PATH: none, HOME: none, LANG: 'en_GB.UTF-8', TZ: 'UTC', GORACE: 'halt_on_error=0' } }, ...options })
  const gone = [[at.data, 'DATA'], [at.folder, 'FOLDER'], [at.root, 'ROOT']]
  await until('the look for agents to end', () => w.page.evaluate(async () => (await window.go.window.Tasks.List(false)).looked))
  return { ...w, same: (name) => sameTree(w.page, name, gone) }
}

test('the first start', async (t) => {
  const w = await alone(t)
  await w.page.getByRole('heading', { name: 'Which agent should work?' }).waitFor()
  await w.page.getByText('more agents could be installed').waitFor()
  await w.same('first')
})

test('a task that is done, its history, and the list of what went wrong', async (t) => {
  const w = await alone(t)
  await w.play('ok', 'Say hello')
  await w.reaches('Done')
  await w.says('This is the demo agent of Turnwatch.')
  await w.same('task-done')
  await w.page.getByRole('button', { name: 'What went wrong' }).click()
  await w.page.getByText('Nothing stands against any session.').waitFor()
  await w.same('failed-none')
  await w.page.keyboard.press('Alt+h')
  await w.page.locator('.past').first().click()
  await w.page.getByRole('region', { name: 'Turn', exact: true }).getByText('This is the demo agent of Turnwatch.').waitFor()
  await w.same('history')
})

test('a request', async (t) => {
  const w = await alone(t)
  await w.play('permission', 'Ask me')
  await w.page.getByRole('button', { name: /Answer nothing/ }).waitFor()
  await w.same('permission')
})

test('a limit', async (t) => {
  const w = await alone(t)
  await w.play('limit', 'Reach a limit')
  await w.page.locator('section.card').waitFor()
  await w.same('limit')
})

test('a turn that waits, with a prompt behind it', async (t) => {
  const w = await alone(t)
  await w.play('long-quiet-tool', 'Wait long')
  await w.reaches('Working')
  await w.page.locator('.frame').getByText('make test-all').first().waitFor()
  await w.page.getByRole('textbox', { name: /^Message/ }).fill('And then this')
  await w.page.keyboard.press('Control+Enter')
  await w.page.getByRole('heading', { name: /One prompt waits/ }).waitFor()
  await w.same('running-queue')
})

test('settings, keys and palette', async (t) => {
  const w = await alone(t)
  await w.page.keyboard.press('Control+,')
  await w.page.getByRole('heading', { name: 'About' }).waitFor()
  await w.page.getByLabel('Quiet hours').or(w.page.getByText('Quiet hours')).first().waitFor()
  await w.page.getByText('Numbers').first().waitFor()
  await w.same('settings')
  await w.page.keyboard.press('?')
  await w.page.getByRole('dialog').waitFor()
  await w.same('shortcuts')
})
