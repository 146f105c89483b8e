// Silence has a face: one neutral row, its cancel, and what can be seen besides.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

const notice = (w) => w.page.locator('.notice')

test('five quiet minutes of a tool show one neutral row with its cancel', async (t) => {
  const w = await open(t)
  await w.play('long-quiet-tool')
  await w.page.locator('.tool').first().waitFor()
  w.served.later('4m50s')
  assert.equal(await notice(w).count(), 0)
  w.served.later('2m')
  await notice(w).getByText(/Still waiting\. .+ has sent nothing for 5 minutes/).waitFor()
  assert.equal(await notice(w).evaluate((e) => getComputedStyle(e).backgroundColor), 'rgba(0, 0, 0, 0)', 'no tint')
  assert.equal(await notice(w).locator('button').first().evaluate((e) => getComputedStyle(e).color), await w.page.evaluate(() => getComputedStyle(document.body).color), 'the button is neutral')
  await w.reaches('Quiet')
  await looks(w.page, 'quiet')
  w.served.later('7m')
  assert.equal(await notice(w).count(), 1)
  await notice(w).getByRole('button', { name: 'Cancel turn' }).click()
  await w.reaches('Waiting')
  await until('no row after the turn', async () => (await w.page.locator('.notice, button:has-text("Cancel turn")').count()) === 0)
})

test('a quiet agent without a known tool, and a tool that may not be named', async (t) => {
  const w = await open(t)
  await w.ask('quiet')
  await w.says('One moment.')
  w.served.later('6m10s')
  await notice(w).getByText('Still waiting. The agent has sent nothing for 5 minutes.').waitFor()
  await w.ask('hidden')
  await w.page.locator('.tool').first().waitFor()
  w.served.later('6m10s')
  await notice(w).getByText('Still waiting. A tool (execute) has sent nothing for 5 minutes.').waitFor()
  assert.ok(!(await notice(w).innerText()).includes('300'), 'what a tool was given is not told')
})

test('an agent that goes round in circles is told by its steps', async (t) => {
  const w = await open(t)
  await w.ask('loop')
  await notice(w).getByText('The agent has asked its model 14 times without any output.').waitFor()
  await notice(w).getByRole('button', { name: 'Details' }).click()
  await w.page.locator('.vitals').getByText('Processes of the agent').waitFor()
  await notice(w).getByRole('button', { name: 'Cancel turn' }).click()
  await w.reaches('Waiting')
})

test('on a phone the button stays in the row, as wide as its words and big enough', async (t) => {
  const w = await open(t, { width: 390, height: 844 })
  await w.ask('quiet')
  await w.says('One moment.')
  w.served.later('6m10s')
  const button = notice(w).getByRole('button', { name: 'Cancel turn' })
  await button.waitFor()
  const row = await notice(w).locator('span').first().boundingBox()
  const box = await button.boundingBox()
  assert.ok(box.height >= 44, `it is ${box.height} px high`)
  assert.ok(box.width < 160, `it is ${box.width} px wide`)
  assert.ok(box.x >= row.x + row.width && box.y < row.y + row.height && box.y + box.height > row.y, 'it stands beside the words')
  assert.ok(box.x + box.width <= 390)
  await button.click()
  await w.reaches('Waiting')
})

test('a notice outlives a reload, and changes its language', async (t) => {
  const w = await open(t)
  await w.ask('quiet')
  await w.says('One moment.')
  w.served.later('6m10s')
  const english = 'Still waiting. The agent has sent nothing for 5 minutes.'
  await notice(w).getByText(english).waitFor()
  await w.page.reload()
  await notice(w).getByText(english).waitFor()
  assert.equal(await notice(w).count(), 1)
  const elsewhere = async (tag) => {
    await w.page.keyboard.press('Control+,')
    await w.page.locator('#language').selectOption(tag)
    await until('the choice', async () => (await w.page.evaluate(() => window.go.window.Settings.Get())).language === tag)
    await w.page.keyboard.press('Alt+t')
  }
  await elsewhere('en-XA')
  await until('other words', async () => !(await notice(w).innerText()).includes(english))
  assert.equal(await notice(w).count(), 1)
  await elsewhere('')
  await notice(w).getByText(english).waitFor()
  w.served.later('30m')
  await notice(w).getByRole('button', { name: 'Cancel turn' }).click()
  await w.reaches('Waiting')
})

test('what can be seen of a quiet turn is unfolded, kept for its task, and asked for only then', async (t) => {
  const w = await open(t)
  // Counted in the page, whose clock no load can shorten.
  await w.page.evaluate(() => {
    window.asked = []
    const { Vitals } = window.go.window.Tasks
    window.go.window.Tasks.Vitals = (...args) => (window.asked.push(performance.now()), Vitals(...args))
  })
  const asked = () => w.page.evaluate(() => window.asked)
  await w.ask('quiet')
  await w.says('One moment.')
  w.served.later('6m10s')
  const more = notice(w).getByRole('button', { name: 'Details' })
  await more.waitFor()
  assert.equal((await asked()).length, 0, 'nobody looks yet')
  await more.focus()
  await w.page.keyboard.press('Enter')
  const vitals = w.page.locator('.vitals')
  await vitals.getByText(/^Last event 6 mins? .*ago/).waitFor()
  await vitals.getByRole('img', { name: /^One event in .*, then nothing for 6 mins?/ }).waitFor()
  await vitals.getByText('Alive, idle.').waitFor()
  assert.match(await vitals.locator('tbody').innerText(), /node/)
  assert.ok(!(await vitals.innerText()).includes('agent.mjs'), 'names only, no arguments')
  await looks(w.page, 'vitals')
  const times = await until('more questions', async () => (await asked()).length >= 4 && asked())
  assert.ok(times.every((at, i) => i === 0 || at - times[i - 1] >= 950), `at most one a second: ${times}`)

  await w.ask('word')
  await w.says('One word')
  await w.page.locator('button.row[title="quiet"]').click()
  await vitals.getByText('Alive, idle.').waitFor()
  await more.click()
  await until('the line is folded', async () => (await vitals.count()) === 0)
  const before = (await asked()).length
  await w.page.getByTitle('How it is known').click()
  await w.page.locator('.evidence .pop .vitals').getByText('Processes of the agent').waitFor()
  await until('the panel asks', async () => (await asked()).length > before)
  await looks(w.page, 'panel')
  await w.page.getByRole('button', { name: 'Keep it beside the transcript' }).click()
  await w.page.locator('aside.vit .vitals').getByText('Alive, idle.').waitFor()
  await looks(w.page, 'beside')
  await w.page.reload()
  await w.page.locator('aside.vit .vitals').getByText('Alive').waitFor()
  await w.page.getByTitle('How it is known').click()
  await until('no panel', async () => (await w.page.locator('aside.vit').count()) === 0)
  await w.page.keyboard.press('Control+.')
  await w.reaches('Waiting')
})

test('an agent that was told to stand still is said to be stopped', { skip: process.platform === 'win32' && 'there is no such signal' }, async (t) => {
  const w = await open(t)
  await w.ask('halt')
  await w.says('I stand still now.')
  await w.page.getByTitle('How it is known').click()
  await w.page.locator('.pop .vitals').getByText(/^Alive, but stopped/).waitFor()
  assert.match(await w.page.locator('.pop .vitals tbody').innerText(), /stopped/)
  await w.page.keyboard.press('Control+.')
  await w.reaches('Waiting')
})
