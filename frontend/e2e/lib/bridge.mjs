// Starts the program that serves the page: the real core behind it, data and
// folder of its own.

import { spawn } from 'node:child_process'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { after } from './after.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
export const scripted = `${process.execPath} ${here('../agent.mjs')}`

/** Makes a place for data and a folder to work in; it is gone after the test. */
export async function place(t) {
  const root = await mkdtemp(join(tmpdir(), 'turnwatch-e2e-'))
  after(t, () => rm(root, { recursive: true, force: true, maxRetries: 5 }))
  const at = { root, data: join(root, 'data'), folder: join(root, 'project') }
  await mkdir(at.folder)
  return at
}

/**
 * Starts a bridge and ends it after the test: it must end well, and the race
 * detector must have found nothing. opened are the links it was to open.
 */
export async function bridge(t, at, { args = [], program = process.env.TURNWATCH_TEST_BRIDGE, spawnWith = {}, page = here('../../dist') } = {}) {
  if (!program) throw new Error('TURNWATCH_TEST_BRIDGE does not say where the bridge is: run go run ./build/task test')
  const child = spawn(program, ['--data', at.data, '--folder', at.folder, '--page', page, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, GORACE: 'halt_on_error=0' }, ...spawnWith,
  })
  let said = ''
  child.stderr.on('data', (text) => (said = (said + text).slice(-20_000)))
  const ended = new Promise((done) => child.once('exit', (code) => done(code)))
  const opened = []
  let first
  const ready = new Promise((done) => (first = done))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = JSON.parse(line)
    if (told.opened) opened.push(told.opened)
    else first(told)
  })
  const told = await Promise.race([ready, ended.then((code) => Promise.reject(new Error(`the bridge ended with ${code}: ${said}`)))])

  /** Ends it as the window is closed. */
  async function close() {
    child.stdin.end()
    const code = await Promise.race([ended, new Promise((late) => setTimeout(() => late('no end in three minutes'), 180_000).unref())])
    if (code !== 0) {
      child.kill('SIGKILL')
      throw new Error(`the bridge ended with ${code}: ${said}`)
    }
    if (said.includes('DATA RACE')) throw new Error(said)
  }
  after(t, () => (child.exitCode === null ? close() : undefined))
  return { ...told, opened, close, said: () => said, later: (much) => child.stdin.write(`${much}\n`) }
}
