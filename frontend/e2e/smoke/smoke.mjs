// The program that is shipped, as it is, on a virtual screen: first start, a
// demo turn, a permission answered by a key, a cancel, a second start, and a
// restart that finds its place again. Keys come from the X server, what the page
// shows is read through WebKit's inspector. Nothing waits for time: a slow machine
// takes longer, and passes.
//   node smoke.mjs build/bin/turnwatch build/bin/bridge-plain [FOLDER FOR PICTURES]
// Linux only. Needs Xvfb, dbus-run-session, openbox and xdotool; pictures need
// import (ImageMagick).

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from './inspector.mjs'
import { freePort, ownScreen } from './screen.mjs'

const [program, bridge, pictures] = process.argv.slice(2).map((p) => resolve(p))
if (!program || !bridge) throw new Error('say which window and which bridge: node smoke.mjs WINDOW BRIDGE [PICTURES]')
await ownScreen(fileURLToPath(import.meta.url))

const patience = 60_000
const root = mkdtempSync(join(tmpdir(), 'turnwatch-smoke-'))
const folder = join(root, 'project')
mkdirSync(folder)
if (pictures) mkdirSync(pictures, { recursive: true })
// What WebKit keeps for the page must not be of an earlier run.
const own = { XDG_DATA_HOME: join(root, 'share'), XDG_CACHE_HOME: join(root, 'cache'), XDG_CONFIG_HOME: join(root, 'config') }
const left = new Set()

const xdo = (...args) => execFileSync('xdotool', args, { encoding: 'utf8', timeout: patience }).trim()
const picture = (name) => pictures && execFileSync('import', ['-window', 'root', join(pictures, `${name}.png`)])
const began = Date.now()
const step = (what) => console.log('ok  ', what, `(${((Date.now() - began) / 1000).toFixed(1)} s)`)
const text = JSON.stringify

/** Starts the window; what comes back speaks to the page that it shows. */
async function start(data) {
  const address = `127.0.0.1:${await freePort()}`
  const from = Date.now()
  const child = spawn(program, ['--data', data], {
    stdio: ['ignore', 'inherit', 'pipe'], env: { ...process.env, ...own, WEBKIT_INSPECTOR_HTTP_SERVER: address, TURNWATCH_TEST_INSPECTOR: '1' },
  })
  left.add(child)
  let said = ''
  child.stderr.on('data', (more) => (said += more))
  const page = await inspect(address, patience)
  const until = (expression) => page.until(expression, patience)
  await until(`document.querySelector('.shell') !== null`)
  const window = xdo('search', '--sync', '--onlyvisible', '--name', '^Turnwatch$').split('\n').at(-1)
  await repeat(() => xdo('windowfocus', window), () => xdo('getwindowfocus') === window || page.run('document.hasFocus()'))
  async function stop() {
    page.close()
    const end = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), patience)
    const [code, signal] = await end
    clearTimeout(late)
    left.delete(child)
    assert.deepEqual([code, signal], [0, null], `it did not end well when it was told to: ${said}`)
    // What GTK, WebKit and the message bus say is theirs.
    assert.deepEqual(said.split('\n').filter((line) => /turnwatch:|level=|panic|Ctrl/.test(line) && !/dbus-daemon/.test(line)), [], 'it complained')
  }
  return { run: page.run, until, stop, window, child, took: Date.now() - from, has: (what) => until(`document.body.innerText.includes(${text(what)})`) }
}

/** Does something again until it has had its effect: keys may come too early. */
async function repeat(act, done, looks = 40) {
  const end = Date.now() + patience
  while (!(await done())) {
    assert.ok(Date.now() < end, `it had no effect: ${act} ${done}`)
    act()
    for (let i = 0; i < looks && !(await done()); i++) await new Promise((next) => setTimeout(next, 50))
  }
}

/** Presses a key until an expression is true in the page. */
const press = (w, key, done) => repeat(() => xdo('key', '--clearmodifiers', key), () => w.run(done))

/** Types into a field until that holds the text. */
async function type(w, field, what) {
  await repeat(() => xdo('type', '--delay', '20', what), async () => {
    if (await w.run(`document.querySelector(${text(field)})?.value.trim() === ${text(what)}`)) return true
    await w.run(`(() => { const e = document.querySelector(${text(field)}); if (${text(what)}.startsWith(e.value) && document.activeElement === e && e.value) return; e.value = ''; e.dispatchEvent(new InputEvent('input', { bubbles: true })); e.focus() })()`)
    return false
  })
}

const fits = `document.documentElement.scrollWidth <= document.documentElement.clientWidth`
const state = (name) => `document.querySelector('.evidence .pill')?.textContent.trim() === ${text(name)}`
const button = (words) => `[...document.querySelectorAll('dialog button')].find((b) => ${words}.test(b.textContent))`

/** Shows the page at two widths in both themes, chosen in the palette by keys. */
async function looks(w, name) {
  for (const theme of ['dark', 'light']) {
    await press(w, 'ctrl+k', `document.querySelector('dialog[open] input') !== null`)
    await type(w, 'dialog[open] input', `${theme} theme`)
    await press(w, 'Return', `document.documentElement.dataset.theme === ${text(theme)}`)
    await w.until(`document.querySelector('dialog[open] input') === null`)
    for (const [width, height] of [[390, 844], [1240, 800]]) {
      xdo('windowsize', w.window, String(width), String(height))
      await w.until(`Math.abs(innerWidth - ${width}) < 4`)
      await w.run(twoFrames)
      assert.ok(await w.run(fits), `it scrolls sideways at ${width} px`)
      picture(`${name}-${width}-${theme}`)
    }
  }
}
const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`

async function firstStart() {
  const data = join(root, 'first')
  const w = await start(data)
  await w.has('Which agent should work?')
  await w.has('Demo')
  picture('1-first')
  step(`first start, ${w.took} ms to the first screen`)

  await w.run(`(() => {
    document.querySelector('input[type=radio][value=demo]').click()
    const e = document.querySelector('[aria-label="Folder to work in"]')
    e.value = ${text(folder)}
    e.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })()`)
  await type(w, '[aria-label="What should it do?"]', 'hello there')
  await press(w, 'ctrl+Return', `${button('/Trust/')} !== undefined`)
  await w.has('May an agent work in this folder?')
  picture('2-trust')
  await w.run(`${button('/Trust/')}.click()`)
  await w.has('This is the demo agent of Turnwatch.')
  await w.until(state('Done'))
  picture('3-turn')
  step('a demo turn, typed on the keyboard')

  await send(w, '/permission')
  await w.until(`document.querySelector('[id^=ask-]') !== null`)
  picture('4-permission')
  // Not in the first moment: then a key is dropped.
  await w.run(`document.querySelector('.frame .scroll').focus()`)
  await press(w, '1', `document.querySelector('[id^=ask-]') === null`)
  await w.has('The tests pass.')
  await w.until(state('Done'))
  step('a permission answered by the key 1')

  await send(w, '/loop')
  await w.has('Let me look at that once more.')
  await press(w, 'ctrl+period', state('Waiting'))
  picture('5-cancelled')
  step('a turn cancelled by Ctrl+.')

  const [code, took] = await secondStart(data, w)
  assert.equal(code, 0)
  step(`a second start raised the first and ended in ${took} ms`)

  await looks(w, '6-task')
  step('it fits 390 px and 1240 px, dark and light')
  await w.stop()

  const again = await start(data)
  await again.has('This is the demo agent of Turnwatch.')
  await again.has('Let me look at that once more.')
  picture('7-restart')
  step('a restart shows the same task')

  await send(again, '/ignores-cancel')
  await again.has('I am busy and will not be interrupted.')
  await again.stop()
  step('told to end it ends, though a turn runs')
}

async function send(w, what) {
  const field = '.task form textarea'
  await type(w, field, what)
  xdo('key', 'Escape') // away with what is suggested
  await press(w, 'ctrl+Return', `document.querySelector(${text(field)}).value === ''`)
}

async function secondStart(data, w) {
  await repeat(() => xdo('windowminimize', w.window), () => !shown(w))
  const from = Date.now()
  const second = spawn(program, ['--data', data], { stdio: 'inherit', env: { ...process.env, ...own } })
  left.add(second)
  const [code] = await once(second, 'exit')
  left.delete(second)
  const took = Date.now() - from
  await repeat(() => undefined, () => shown(w))
  return [code, took]
}

function shown(w) {
  try {
    return xdo('search', '--onlyvisible', '--name', '^Turnwatch$').split('\n').includes(w.window)
  } catch {
    return false // xdotool finds none
  }
}

/** Fills a new history with a long transcript. */
async function seed(data) {
  const seeded = spawn(bridge, ['--data', data, '--folder', folder, '--tasks', '1', '--parts', '2000'], { stdio: ['pipe', 'pipe', 'ignore'] })
  left.add(seeded)
  await once(seeded.stdout, 'data')
  const end = once(seeded, 'exit')
  seeded.stdin.end()
  await end
  left.delete(seeded)
}

const top = `Number([...document.querySelectorAll('[data-seq]')].find((e) => e.getBoundingClientRect().bottom > document.querySelector('.frame .scroll').getBoundingClientRect().top + 1)?.dataset.seq ?? 0)`

// Where the reader is is kept a moment after it has changed: in the page's own
// store, or with the data.
async function keptPlace(w, data, seq) {
  const kept = [JSON.stringify(await w.run(`({ ...localStorage })`)).replaceAll('\\', '')]
  for (const name of readdirSync(data)) if (name.endsWith('.json')) kept.push(readFileSync(join(data, name), 'utf8').replaceAll('\\', ''))
  return kept.some((k) => [...k.matchAll(/"seq": ?(\d+)/g)].some((m) => Math.abs(Number(m[1]) - seq) <= 1))
}

async function keepsItsPlace() {
  const data = join(root, 'long')
  await seed(data)
  const w = await start(data)
  const row = `document.querySelector('button.row[title="Task number 1"]')`
  await w.until(`${row} !== null`)
  await w.run(`${row}.click()`)
  await w.has('Part 2000 of')
  await w.run(`document.querySelector('.frame .scroll').focus()`)
  await repeat(() => xdo('key', 'Prior'), () => w.run(`${top} < 1970 && ${top} > 0`), 2)
  const at = await still(w)
  await repeat(() => undefined, () => keptPlace(w, data, at))
  picture('8-place')
  await w.stop()
  const again = await start(data)
  await again.until(`Math.abs(${top} - ${at}) <= 1`)
  picture('9-place-kept')
  await again.stop()
  step(`a restart is where the reader was, at part ${at} of 2000`)
}

/** The part at the top, once it stays. */
async function still(w) {
  let last = 0
  for (;;) {
    const now = await w.run(`${twoFrames}.then(() => ${top})`)
    if (now === last) return now
    last = now
  }
}

let code = 0
try {
  await firstStart()
  await keepsItsPlace()
} catch (reason) {
  console.error('FAIL', reason)
  picture('failed')
  code = 1
}
for (const child of left) child.kill('SIGKILL')
rmSync(root, { recursive: true, force: true, maxRetries: 5 })
process.exit(code)
