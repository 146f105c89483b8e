// A screen and a message bus of one's own, for programs that open a window.
// Linux only: needs Xvfb, dbus-run-session and openbox.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const inside = 'TURNWATCH_SMOKE_SCREEN'

/**
 * Runs the program that calls this once more, on a screen of its own, and ends
 * with its status. Gives back only there: then a window manager is at work.
 * keep is a folder in which the X server keeps what the screen shows.
 */
export async function ownScreen(script, { keep } = {}) {
  if (process.env[inside]) return manage()
  const memory = keep ? ['-fbdir', keep] : []
  const x = begin('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp', '-nocursor', ...memory], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const gone = once(x, 'exit').then(([code]) => { throw new Error(`Xvfb ended with ${code}`) })
  gone.catch(() => undefined)
  const [display] = await Promise.race([once(x.stdio[3], 'data'), gone])
  const flags = 'WebSocket' in globalThis ? [] : ['--experimental-websocket', '--no-warnings']
  const inner = begin('dbus-run-session', ['--', process.execPath, ...flags, script, ...process.argv.slice(2)], {
    stdio: 'inherit', env: { ...process.env, DISPLAY: `:${String(display).trim()}`, [inside]: '1', WAYLAND_DISPLAY: '', NO_AT_BRIDGE: '1' },
  })
  const [code] = await once(inner, 'exit')
  process.exit(code ?? 1)
}

function begin(program, args, options) {
  const child = spawn(program, args, options)
  child.on('error', (e) => {
    console.error(`${program} does not start: ${e.message}`)
    process.exit(1)
  })
  process.on('exit', () => child.kill())
  return child
}

// Keys reach only a window that a manager has given the focus.
async function manage() {
  begin('openbox', ['--config-file', fileURLToPath(new URL('openbox.xml', import.meta.url))], { stdio: 'ignore' })
}

/** A port of this machine that nobody uses. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
