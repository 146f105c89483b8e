// A turn in hand: what is shown of it, what is asked, what waits, and its cancel.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

test('tools, their output and diffs are shown', async (t) => {
  const w = await open(t)
  await w.play('tools')
  await w.reaches('Done')
  const tools = w.page.locator('details.tool')
  assert.ok((await tools.count()) >= 3)
  for (const tool of await tools.all()) if (!(await tool.evaluate((e) => e.open))) await tool.locator('summary').first().click()
  await w.page.locator('details.tool').getByText('Output').first().waitFor()
  assert.match(await tools.filter({ hasText: '+' }).first().innerText(), /\+\d/)
  await looks(w.page, 'tools')
})

test('a proposed change is shown as a diff', async (t) => {
  const w = await open(t)
  await w.play('diff')
  await w.reaches('Done')
  const tool = w.page.locator('details.tool').first()
  if (!(await tool.evaluate((e) => e.open))) await tool.locator('summary').first().click()
  await tool.locator('.plus').first().waitFor()
  await looks(w.page, 'diff')
})

test('a plan is worked through', async (t) => {
  const w = await open(t)
  await w.play('plan')
  await w.says('of 4 done')
  await w.reaches('Done')
  await w.says('4 of 4 done')
  await looks(w.page, 'plan')
})

for (const [key, kind] of [['1', 'allow'], ['3', 'reject']]) {
  test(`a permission is answered by the key ${key}`, async (t) => {
    const w = await open(t)
    await w.play('permission')
    const card = w.page.locator('[id^=ask-]').first()
    await card.waitFor()
    await w.reaches('Asks you')
    const options = await w.page.locator('section.card.need .acts button').allInnerTexts()
    assert.match(options[Number(key) - 1], kind === 'allow' ? /allow/i : /reject|deny|no/i)
    if (key === '1') await looks(w.page, 'permission')
    // Not in the first moment: then a key is dropped.
    await until('the answer', async () => {
      await w.page.keyboard.press(key)
      return (await w.page.locator('[id^=ask-]').count()) === 0
    })
    await w.reaches('Done')
    assert.match(await w.said(), kind === 'allow' ? /The tests pass\./ : /not|without|reject/i)
  })
}

test('a prompt that comes meanwhile waits, is changed, is taken out, and is sent', async (t) => {
  const w = await open(t)
  await w.ask('count 400')
  await w.says('n5 ')
  const box = w.page.getByRole('textbox', { name: /^Message/ })
  for (const text of ['first to wait', 'second to wait']) {
    await box.fill(text)
    await w.page.keyboard.press('Control+Enter')
    await w.page.locator('section', { hasText: 'wait' }).getByText(text).first().waitFor()
  }
  const queue = w.page.getByRole('region', { name: /prompts? waits?/ })
  await looks(w.page, 'queue')
  await queue.getByRole('button', { name: 'Edit' }).first().click()
  await queue.getByRole('textbox', { name: 'Edit' }).fill('word')
  await queue.getByRole('button', { name: 'Save' }).click()
  await queue.getByText('word', { exact: true }).waitFor()
  await queue.getByRole('button', { name: 'Remove' }).nth(1).click()
  await until('one that waits', async () => (await queue.getByRole('listitem').count()) === 1)
  assert.match(await w.state(), /^Working/)
  await w.says('One word: www')
  await w.reaches('Done')
  assert.ok(!(await w.said()).includes('second to wait'))
  assert.ok(!(await w.said()).includes('first to wait'))
})

const ways = {
  'the button': (page) => page.getByRole('button', { name: 'Cancel turn' }).first().click(),
  'Ctrl+.': (page) => page.keyboard.press('Control+.'),
}
for (const [name, press] of Object.entries(ways)) {
  test(`a turn is cancelled by ${name}, and its queue is held`, async (t) => {
    const w = await open(t)
    await w.play('loop')
    await w.says('Let me look at that once more.')
    await w.page.getByRole('textbox', { name: /^Message/ }).fill('/ok go on')
    await w.page.keyboard.press('Control+Enter')
    const queue = w.page.getByRole('region', { name: /waits/ })
    await queue.waitFor()
    await press(w.page)
    await w.reaches('Waiting')
    await queue.getByText('for you').waitFor()
    await w.page.getByTitle('How it is known').click()
    assert.match(await w.page.locator('.evidence .pop').innerText(), /cancel/i)
    await looks(w.page, `cancelled-${name.length}`)
    await w.page.keyboard.press('Escape')
    await queue.getByRole('button', { name: 'Send now' }).click()
    await w.says('This is the demo agent of Turnwatch.')
  })
}

test('an agent that ignores the cancel is no reason to wait', async (t) => {
  const w = await open(t)
  await w.play('ignores-cancel')
  await w.says('I am busy and will not be interrupted.')
  await w.page.keyboard.press('Control+.')
  await w.reaches('Waiting') // the agent never answers; how long it takes is shown in supervise, at virtual time
  w.served.later('31s')
  await w.page.locator('.notice').getByText('The agent has not stopped.').waitFor()
  await looks(w.page, 'not-stopped')
})
