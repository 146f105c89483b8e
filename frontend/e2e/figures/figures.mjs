// Measures the window that is shipped beside a window in which nothing is done and
// beside Chromium with the same page, in one run and in turn. Says what it does on
// standard error, and writes what it found into a file, as one JSON object: what
// the message bus starts prints where it likes.
//   node figures.mjs '{"window":…,"hello":…,"bridge":…,"chromium":…,"page":…,"rounds":5,"seconds":60,"parts":10000,"out":"figures.json"}'
// Linux only. Needs Xvfb, dbus-run-session and openbox.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as playwright } from 'playwright-core'
import { inspect } from '../smoke/inspector.mjs'
import { freePort, ownScreen } from '../smoke/screen.mjs'
import { apps } from './apps.mjs'
import { Screen } from './pixels.mjs'
import { inNewTask, inSeededTask, watch } from './stream.mjs'
import { cpu, memory, spent, tree } from './tree.mjs'

const wanted = JSON.parse(process.argv[2])
const root = (process.env.TURNWATCH_FIGURES_ROOT ??= mkdtempSync(join(tmpdir(), 'turnwatch-figures-')))
process.on('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
await ownScreen(fileURLToPath(import.meta.url), { keep: root })

const say = (text) => console.error(text)
const pause = (ms) => new Promise((next) => setTimeout(next, ms))
const names = ['hello', 'window', 'chromium']
const screen = new Screen(root)
const made = apps(wanted, root)
const folder = join(root, 'project')
mkdirSync(folder)
const found = { rounds: wanted.rounds, seconds: wanted.seconds, parts: wanted.parts, load: [loadavg()[0]], start: {}, complete: {}, work: {}, memory: {}, processes: {}, idle: {}, idleBy: {}, stream: {}, streamBy: {} }

/** Starts an app and gives when it had painted, and when what it shows was complete. */
async function start(name, options) {
  await screen.blank()
  const began = performance.now()
  const app = await made[name].start(options)
  const painted = await screen.painted(began)
  let { sum } = screen.look()
  let complete = painted
  while (performance.now() - began - complete < 1000 && complete < 10_000) {
    await pause(10)
    const now = screen.look().sum
    if (now !== sum) [sum, complete] = [now, performance.now() - began]
  }
  return { ...app, painted, complete, work: spent(app.roots) }
}

/** Waits until an app does next to nothing, or 20 s. */
async function calm(app) {
  for (let i = 0; i < 10; i++) if ((await cpu(app.roots, 2)).percent < 0.5) return
}

async function starts() {
  for (let round = 0; round <= wanted.rounds; round++) {
    for (const name of names) {
      const app = await start(name)
      await calm(app)
      if (round > 0) { // the first fills the caches of all three
        for (const [key, value] of [['start', app.painted], ['complete', app.complete], ['work', app.work], ['memory', memory(app.roots)]]) (found[key][name] ??= []).push(value)
        found.processes[name] = tree(app.roots).length
      }
      say(`round ${round}: ${name} painted after ${Math.round(app.painted)} ms, complete after ${Math.round(app.complete)} ms and ${Math.round(app.work)} ms of work, ${Math.round(memory(app.roots) / 1e6)} MB`)
      await app.end()
    }
  }
}

async function idle() {
  for (const name of names) {
    const app = await start(name)
    await calm(app)
    const { percent, by } = await cpu(app.roots, wanted.seconds)
    found.idle[name] = percent
    found.idleBy[name] = by
    say(`${name} idle: ${percent.toFixed(2)} % of a core`)
    await app.end()
  }
}

/** Runs f with a way to run scripts in the page of an app. */
async function drive(name, f) {
  const address = `127.0.0.1:${await freePort()}`
  const app = await start(name, { inspector: address })
  if (name === 'window') {
    const page = await inspect(address, 60_000)
    await f(app, (script, patience = 60_000) => page.run(script, patience))
    page.close()
  } else {
    const browser = await playwright.connectOverCDP(`http://${address}`)
    const page = browser.contexts()[0].pages()[0]
    await f(app, (script) => page.evaluate(script))
    await browser.close()
  }
  await app.end()
}

const shows = `document.querySelector('.shell') !== null`

async function streams() {
  for (const name of ['window', 'chromium']) {
    await drive(name, async (app, run) => {
      while (!(await run(shows))) await pause(50)
      await run(inNewTask(folder))
      const { percent, by } = await cpu(app.roots, Math.min(wanted.seconds, 45)) // the turn streams for a minute
      found.stream[name] = percent
      found.streamBy[name] = by
      say(`${name} at 500 updates a second: ${percent.toFixed(1)} % of a core`)
    })
  }
}

async function long() {
  const seeded = await made.serve(made.data('window'), ['--tasks', '1', '--parts', String(wanted.parts)])
  await seeded.close()
  await drive('window', async (app, run) => {
    while (!(await run(shows))) await pause(50)
    await run(inSeededTask)
    const seconds = Math.min(wanted.seconds, 20)
    found.follow = await run(watch(seconds), 120_000)
    say(`${wanted.parts} parts, following: ${JSON.stringify(found.follow)}`)
    found.scroll = await run(watch(seconds, true), 120_000)
    say(`${wanted.parts} parts, scrolling: ${JSON.stringify(found.scroll)}`)
  })
}

await starts()
await idle()
await streams()
rmSync(made.data('window'), { recursive: true })
await long()
found.load.push(loadavg()[0])
writeFileSync(wanted.out, JSON.stringify(found))
process.exit(0)
