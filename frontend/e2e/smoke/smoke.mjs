// The program that is shipped, as it is, on a virtual screen: first start, a
// demo turn, a permission answered by a key, a cancel, a second start, and a
// restart that finds its place again. Keys come from the X server, what the page
// shows is read through WebKit's inspector.
//   node smoke.mjs build/bin/turnwatch build/bin/bridge [FOLDER FOR PICTURES]
// Linux only. Needs Xvfb, dbus-run-session, openbox and xdotool; pictures need
// import (ImageMagick).

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from './inspector.mjs'

const [program, bridge, pictures] = process.argv.slice(2).map((p) => resolve(p))
if (!program || !bridge) throw new Error('say which window and which bridge: node smoke.mjs WINDOW BRIDGE [PICTURES]')
if (!process.env.TURNWATCH_SMOKE_SCREEN) process.exit(await onScreen())

// Runs this program again on a screen and a message bus of its own.
async function onScreen() {
  const x = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  x.on('error', (e) => { throw new Error(`no Xvfb: ${e.message}`) })
  const display = String((await once(x.stdio[3], 'data'))[0]).trim()
  const flags = 'WebSocket' in globalThis ? [] : ['--experimental-websocket']
  const args = ['--', process.execPath, ...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const inner = spawn('dbus-run-session', args, {
    stdio: 'inherit', env: { ...process.env, DISPLAY: `:${display}`, TURNWATCH_SMOKE_SCREEN: '1', WAYLAND_DISPLAY: '', NO_AT_BRIDGE: '1' },
  })
  const [code] = await once(inner, 'exit')
  x.kill()
  return code ?? 1
}

const root = mkdtempSync(join(tmpdir(), 'turnwatch-smoke-'))
const folder = join(root, 'project')
mkdirSync(folder)
if (pictures) mkdirSync(pictures, { recursive: true })
// What WebKit keeps for the page must not be of an earlier run.
const own = { XDG_DATA_HOME: join(root, 'share'), XDG_CACHE_HOME: join(root, 'cache'), XDG_CONFIG_HOME: join(root, 'config') }
const manager = spawn('openbox', { stdio: 'ignore' })
const left = new Set([manager])

const xdo = (...args) => execFileSync('xdotool', args, { encoding: 'utf8' }).trim()
const picture = (name) => pictures && execFileSync('import', ['-window', 'root', join(pictures, `${name}.png`)])
const step = (what) => console.log('ok  ', what)

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** Starts the window; page speaks to what it shows. */
async function start(data) {
  const address = `127.0.0.1:${await freePort()}`
  const from = Date.now()
  const child = spawn(program, ['--data', data], {
    stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...own, WEBKIT_INSPECTOR_HTTP_SERVER: address, TURNWATCH_TEST_INSPECTOR: '1' },
  })
  left.add(child)
  const page = await inspect(address, 30_000)
  await page.until(`document.querySelector('.shell') !== null`, 20_000)
  const has = (text, patience = 20_000) => page.until(`document.body.innerText.includes(${JSON.stringify(text)})`, patience)
  const window = xdo('search', '--sync', '--onlyvisible', '--name', '^Turnwatch$').split('\n').at(-1)
  xdo('windowfocus', '--sync', window)
  async function stop() {
    page.close()
    const end = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await end
    left.delete(child)
    return code
  }
  return { ...page, has, window, child, stop, took: Date.now() - from, state: () => page.run(`document.querySelector('.evidence .pill')?.textContent.trim() ?? ''`) }
}

const fits = `document.documentElement.scrollWidth <= document.documentElement.clientWidth`

async function firstStart() {
  const data = join(root, 'first')
  const w = await start(data)
  await w.has('Which agent should work?')
  await w.has('Demo')
  picture('1-first')
  step(`first start, ${w.took} ms to the first screen`)

  await w.run(`(() => {
    const put = (label, text) => { const e = document.querySelector('[aria-label="' + label + '"]'); e.value = text; e.dispatchEvent(new InputEvent('input', { bubbles: true })); return e }
    document.querySelector('input[type=radio][value=demo]').click()
    put('Folder to work in', ${JSON.stringify(folder)})
    document.querySelector('[aria-label="What should it do?"]').focus()
  })()`)
  xdo('type', '--delay', '20', 'hello there')
  await w.until(`document.querySelector('[aria-label="What should it do?"]').value === 'hello there'`)
  xdo('key', 'ctrl+Return')
  await w.has('May an agent work in this folder?')
  picture('2-trust')
  await w.run(`[...document.querySelectorAll('dialog button')].find((b) => /Trust/.test(b.textContent)).click()`)
  await w.has('This is the demo agent of Turnwatch.')
  await w.until(`document.querySelector('.evidence .pill').textContent.trim() === 'Done'`)
  picture('3-turn')
  step('a demo turn, typed on the keyboard')

  await write(w, '/permission')
  await w.until(`document.querySelector('[id^=ask-]') !== null`, 20_000)
  picture('4-permission')
  // Not in the first moment: then a key is dropped.
  await w.run(`document.querySelector('.frame .scroll').focus()`)
  await repeat(() => xdo('key', '1'), () => w.run(`document.querySelector('[id^=ask-]') === null`))
  await w.has('The tests pass.')
  step('a permission answered by the key 1')

  await write(w, '/loop')
  await w.has('Let me look at that once more.')
  xdo('key', 'ctrl+period')
  await w.until(`document.querySelector('.evidence .pill').textContent.trim() === 'Waiting'`, 10_000)
  picture('5-cancelled')
  step('a turn cancelled by Ctrl+.')

  const [code, took] = await secondStart(data, w)
  assert.equal(code, 0)
  step(`a second start raised the first and ended in ${took} ms`)

  xdo('windowsize', '--sync', w.window, '390', '844')
  await w.until('innerWidth <= 400')
  assert.ok(await w.run(fits), 'it scrolls sideways at 390 px')
  picture('6-narrow')
  xdo('windowsize', '--sync', w.window, '1240', '800')
  step('it fits 390 px')
  assert.equal(await w.stop(), 0)

  const again = await start(data)
  await again.has('This is the demo agent of Turnwatch.')
  await again.has('Let me look at that once more.')
  picture('7-restart')
  await again.stop()
  step('a restart shows the same task')
}

async function write(w, text) {
  await w.run(`document.querySelector('.task form textarea').focus()`)
  xdo('type', '--delay', '20', text)
  xdo('key', 'Escape')
  await w.until(`document.querySelector('.task form textarea').value.trim() === ${JSON.stringify(text)}`)
  xdo('key', 'ctrl+Return')
}

async function repeat(act, done, patience = 10_000) {
  const end = Date.now() + patience
  while (!(await done())) {
    assert.ok(Date.now() < end, 'it had no effect')
    act()
    await new Promise((next) => setTimeout(next, 150))
  }
}

async function secondStart(data, w) {
  xdo('windowminimize', '--sync', w.window)
  const from = Date.now()
  const second = spawn(program, ['--data', data], { stdio: 'inherit' })
  left.add(second)
  const [code] = await once(second, 'exit')
  left.delete(second)
  const took = Date.now() - from
  await repeat(() => undefined, () => xdo('search', '--onlyvisible', '--name', '^Turnwatch$').split('\n').includes(w.window))
  return [code, took]
}

async function keepsItsPlace() {
  const data = join(root, 'long')
  const seeded = spawn(bridge, ['--data', data, '--folder', folder, '--tasks', '1', '--parts', '2000'], { stdio: ['pipe', 'pipe', 'inherit'] })
  left.add(seeded)
  await once(seeded.stdout, 'data')
  seeded.stdin.end()
  await once(seeded, 'exit')
  left.delete(seeded)

  const top = `Number([...document.querySelectorAll('[data-seq]')].find((e) => e.getBoundingClientRect().bottom > document.querySelector('.frame .scroll').getBoundingClientRect().top + 1)?.dataset.seq ?? 0)`
  const w = await start(data)
  await w.until(`document.querySelector('button.row[title="Task number 1"]') !== null`)
  await w.run(`document.querySelector('button.row[title="Task number 1"]').click()`)
  await w.has('Part 2000 of')
  await w.run(`document.querySelector('.frame .scroll').focus()`)
  await repeat(() => xdo('key', 'Prior'), async () => (await w.run(top)) < 1900, 30_000)
  await w.until(`Math.abs((JSON.parse(localStorage.getItem('turnwatch.anchors') ?? '{}').s1?.seq ?? 0) - ${top}) <= 1`)
  const at = await w.run(top)
  picture('8-place')
  await w.stop()
  const again = await start(data)
  await again.until(`Math.abs(${top} - ${at}) <= 1`, 20_000)
  picture('9-place-kept')
  await again.stop()
  step(`a restart is where the reader was, at part ${at} of 2000`)
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
