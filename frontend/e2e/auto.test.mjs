// Auto-resume in the page: chosen, announced, stopped in every way, let through, told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks } from './lib/looks.mjs'
import { open, until } from './lib/page.mjs'

// A countdown that no machine is slow enough to see the end of, unless a test moves
// the clock; nothing else is waited for.
const patient = { warmupMs: 0, actionIntentDelayMs: 0, minActivityGapMs: 0, activeUserWindowMs: 0, injectIntervalMs: 0, countdownMs: 600_000 }
const intent = 'Ask the agent to do what it announced'

/** Opens a page with a task whose turn is over, and with what its next words bring. */
async function begin(t, { choice = 'safe', numbers = {}, ...rest } = {}) {
  const w = await open(t, rest)
  const { page } = w
  await page.evaluate(async (all) => {
    for (const [name, value] of Object.entries(all)) await window.go.window.Settings.SetAuto(name, String(value))
  }, { ...patient, ...numbers })
  const row = await w.ask('word')
  await w.reaches('Done')
  const pick = page.getByRole('button', { name: /^Auto-resume: / })
  const soon = page.locator('.auto', { hasText: `: ${intent}.` })
  /** By pointer in the menu, as everybody does it; the first of that name is the task's. */
  async function choose(name, folder = false) {
    await pick.click()
    const all = page.getByRole('menuitemradio', { name, exact: true })
    await (folder ? all.last() : all.first()).click()
  }
  const send = (text) => page.evaluate(([s, x]) => window.go.window.Tasks.Send(s, { text: x, files: [], blobs: [] }), [row.session, text])
  const ledger = () => page.evaluate((s) => window.go.window.Tasks.Ledger(s, 0), row.session)
  const gone = () => until('no countdown', async () => (await soon.count()) === 0)
  if (choice) {
    await choose({ notify: 'Notify only', safe: 'Safe', full: 'Full' }[choice])
    await page.getByRole('button', { name: `Auto-resume: ${{ notify: 'Notify only', safe: 'Safe', full: 'Full' }[choice]}` }).waitFor()
  }
  return { ...w, row, pick, soon, choose, send, ledger, gone }
}

const prompts = (w) => w.page.locator('.me').count()

test('it is off until somebody chooses it, for a task or its folder, by pointer and by key', async (t) => {
  const w = await begin(t, { choice: '' })
  const { page } = w
  await page.getByRole('button', { name: 'Auto-resume: Off' }).waitFor()
  await w.send('announce')
  await w.says('Next I will write the tests:')
  await w.reaches('Done')
  assert.equal(await w.soon.count(), 0)
  assert.deepEqual((await w.ledger()) ?? [], [], 'nothing was done and nothing is in the ledger')

  await w.pick.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'As its folder' }).and(page.locator(':focus')).waitFor()
  await looks(page, 'auto-pick')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Auto-resume: Notify only' }).waitFor()
  await page.locator(':focus').and(w.pick).waitFor()
  await w.choose('Full', true)
  await w.pick.click()
  await page.getByRole('menuitemradio', { name: 'Full', checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'As its folder' }).click()
  await page.getByRole('button', { name: 'Auto-resume: Full' }).waitFor()
  await w.choose('Off', true)
  await page.getByRole('button', { name: 'Auto-resume: Off' }).waitFor()
})

test('what is announced is seen with what and why, said once, and cancelled by its button', async (t) => {
  const w = await begin(t)
  const { page } = w
  await w.send('announce')
  await w.soon.getByText(/^In \d+ min.*: Ask the agent to do what it announced\./).waitFor()
  await w.soon.getByText('The turn has ended, and its last message calls for it.').waitFor()
  await page.locator('.tasks button.row').first().getByText(/Goes on by itself at/).waitFor()
  const told = page.locator('p[role=status].unseen')
  await until('the announcement', async () => (await told.innerText()).startsWith('Auto-resume does this soon, unless you stop it: Ask the agent'))
  const first = await w.soon.innerText()
  await until('a tick', async () => (await w.soon.innerText()) !== first)
  assert.ok((await told.innerText()).startsWith('Auto-resume does this soon'), 'ticks are not told')
  assert.equal(await w.soon.evaluate((e) => getComputedStyle(e).backgroundColor), 'rgba(0, 0, 0, 0)', 'no tint')
  await looks(page, 'auto-soon')
  const before = await prompts(w)
  await w.soon.getByRole('button', { name: 'Cancel' }).click()
  await w.gone()
  await until('that it was taken back', async () => (await told.innerText()) === 'Taken back')
  w.served.later('1h')
  assert.deepEqual((await w.ledger()).map((r) => r.act), ['withdraw', 'announce'])
  assert.equal(await prompts(w), before)
})

for (const [how, stop] of Object.entries({
  'Escape': (w) => w.page.keyboard.press('Escape'),
  'Escape while a menu is open': async (w) => {
    await w.page.getByLabel('More for this task').click()
    await w.page.keyboard.press('Escape')
    await until('no menu', async () => (await w.page.getByRole('menu').count()) === 0)
  },
  'typing': (w) => w.page.getByRole('textbox', { name: /^Message/ }).pressSequentially('w'),
  'the chord that stops all automation': (w) => w.page.keyboard.press('Control+Shift+Period'),
  'the choice Off': (w) => w.choose('Off'),
})) {
  test(`it is stopped by ${how}`, async (t) => {
    const w = await begin(t)
    await w.send('announce')
    await w.soon.waitFor()
    await stop(w)
    await w.gone()
    assert.deepEqual((await w.ledger()).map((r) => r.act), ['withdraw', 'announce'])
  })
}

test('all automation is stopped, which is seen everywhere, and allowed again', async (t) => {
  const w = await begin(t)
  const { page } = w
  await page.keyboard.press('Control+k')
  await page.keyboard.type('stop all auto')
  await page.keyboard.press('Enter')
  await page.locator('.tasks').getByText('All automation is stopped.').waitFor()
  await page.getByRole('button', { name: 'Auto-resume: Stopped' }).waitFor()
  await looks(page, 'auto-stopped')
  await page.reload()
  await page.locator('.tasks').getByText('All automation is stopped.').waitFor()
  await w.send('announce')
  await w.says('Next I will write the tests:')
  await w.reaches('Done')
  assert.deepEqual((await w.ledger()) ?? [], [])
  await page.locator('.tasks').getByRole('button', { name: 'Allow again' }).click()
  await page.getByRole('button', { name: 'Auto-resume: Safe' }).waitFor()
  assert.equal(await page.locator('.tasks').getByText('All automation is stopped.').count(), 0)
})

test('a reload in the middle of a countdown; let through, the prompt is marked and in the ledger', async (t) => {
  const w = await begin(t)
  const { page } = w
  await w.send('announce')
  await w.soon.waitFor()
  await page.reload()
  await w.soon.waitFor()
  w.served.later('11m')
  await w.says('Nothing to say to that.')
  await w.gone()
  const sent = page.locator('.me.auto')
  await sent.getByText(`Sent by auto-resume · ${intent} · number 1 since you wrote`).waitFor()
  assert.equal(await sent.getByRole('heading', { name: 'You' }).count(), 0, 'it does not pass as the user')
  assert.equal(await page.locator('.me:not(.auto)').count(), 2)
  await w.reaches('Done')
  await looks(page, 'auto-sent')
  await page.getByLabel('More for this task').click()
  await page.getByRole('menuitem', { name: 'What auto-resume did here' }).click()
  const sheet = page.getByRole('dialog')
  const row = sheet.getByRole('listitem').filter({ hasText: `Sent: ${intent}` })
  await row.getByText('number 1 since you wrote').waitFor()
  await row.getByText('The agent has taken it up').waitFor()
  await looks(page, 'auto-ledger')
  await page.keyboard.press('Escape')
  await until('no sheet', async () => (await page.getByRole('dialog').count()) === 0)
})

test('notify only says what it would do, and sends it when the user does', async (t) => {
  const w = await begin(t, { choice: 'notify' })
  const { page } = w
  await w.send('announce')
  const would = page.locator('.auto', { hasText: `Auto-resume would do this: ${intent}.` })
  await would.waitFor()
  const before = await prompts(w)
  await looks(page, 'auto-would')
  await would.getByRole('button', { name: 'Send it' }).click()
  await w.says('Nothing to say to that.')
  assert.equal(await prompts(w), before + 1)
  assert.equal(await page.locator('.me.auto').count(), 0, 'the user has sent it')
  await until('no offer', async () => (await would.count()) === 0)
})

test('it gives up, and says what to do', async (t) => {
  const w = await begin(t, { numbers: { windowBudget: 1, countdownMs: 0 } })
  const { page } = w
  await w.send('stubborn')
  const over = page.locator('.auto', { hasText: 'Auto-resume does nothing more in this task until you write.' })
  await over.getByText(/Prompts sent by auto-resume: 1\./).waitFor()
  await looks(page, 'auto-gave-up')
  await over.getByRole('button', { name: 'Write a prompt' }).click()
  await page.getByRole('textbox', { name: /^Message/ }).and(page.locator(':focus')).waitFor()
  assert.equal(await page.locator('.me.auto').count(), 1)
})

test('on a phone Cancel stays in the row and is big enough', async (t) => {
  const w = await begin(t, { width: 390, height: 844 })
  await w.send('announce')
  const button = w.soon.getByRole('button', { name: 'Cancel' })
  await button.waitFor()
  const words = await w.soon.locator('p').boundingBox()
  const box = await button.boundingBox()
  assert.ok(box.height >= 44 && box.width < 160, `it is ${box.width} by ${box.height} px`)
  assert.ok(box.x >= words.x + words.width && box.y < words.y + words.height && box.y + box.height > words.y, 'it stands beside the words')
  await button.click()
  await w.gone()
})

test('the settings: numbers, detectors, texts, folders and a configuration, all checked', async (t) => {
  const w = await begin(t, { choice: '' })
  const { page } = w
  await w.choose('Safe', true)
  await page.getByRole('button', { name: 'Auto-resume: Safe' }).waitFor()
  await page.keyboard.press('Control+,')
  const prefs = () => page.evaluate(() => window.go.window.Settings.Auto())
  const number = async (name) => (await prefs()).numbers.find((n) => n.name === name).value
  for (const name of ['What it looks for', 'Numbers', 'What it writes', 'Take over a configuration']) await page.locator('summary', { hasText: name }).click()

  const most = page.getByRole('spinbutton', { name: 'Most prompts in the window' })
  await most.fill('999')
  await most.press('Tab')
  await page.getByRole('alert').filter({ hasText: '999 is not between 1 and 50' }).waitFor()
  assert.equal(await number('windowBudget'), 6)
  await most.fill('4')
  await most.press('Tab')
  await until('the number', async () => (await number('windowBudget')) === 4)
  assert.equal(await page.getByRole('alert').count(), 0)
  const count = page.getByRole('spinbutton', { name: 'Countdown' })
  assert.equal(await count.inputValue(), '600')
  await count.locator('xpath=ancestor::div[contains(@class,"set")]').getByRole('button', { name: 'Usual: 10 sec' }).click()
  await until('the usual', async () => (await number('countdownMs')) === 10_000)
  await until('that it is shown', async () => (await count.inputValue()) === '10')

  await page.getByRole('checkbox', { name: 'The same calls again and again' }).click()
  await until('the detector', async () => !(await prefs()).marks.find((m) => m.name === 'toolLoop').on)
  const text = page.getByRole('textbox', { name: 'Tell the agent to go on with the next step' })
  await text.fill('Go on.')
  await text.press('Tab')
  await until('the text', async () => (await prefs()).words.find((x) => x.kind === 'ready_to_continue').text === 'Go on.')

  const paste = page.getByRole('textbox', { name: 'Configuration as JSON' })
  await paste.fill('{ "maxRetrys": 2, "windowBudget": 0 }')
  await page.getByRole('button', { name: 'Take over' }).click()
  const wrong = page.getByRole('alert').getByRole('listitem')
  await wrong.filter({ hasText: 'maxRetrys' }).waitFor()
  assert.equal(await wrong.count(), 2, 'all that is wrong is told')
  await looks(page, 'auto-settings')
  await paste.fill('{ "maxRetries": 2 }')
  await page.getByRole('button', { name: 'Take over' }).click()
  await until('the configuration', async () => (await number('maxRetries')) === 2)
  const kind = page.getByRole('spinbutton', { name: 'Prompts of one kind', exact: true })
  await until('that it is shown', async () => (await kind.inputValue()) === '2')

  await page.getByRole('combobox', { name: /^Auto-resume in / }).selectOption('full')
  await until('the folder', async () => (await prefs()).folders[0]?.choice === 'full')
  await page.getByRole('button', { name: /^Remove the choice for / }).click()
  await page.getByText('No folder has a choice of its own.').waitFor()
  await page.getByRole('checkbox', { name: 'Allow automation' }).click()
  await until('the switch', async () => (await prefs()).stopped)
})
