// The three windows that are compared. Each is started in the same way and gives
// the ids of the programs that it is made of, how long it took to paint, and a way
// to end it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const chromiumFlags = [
  '--no-first-run', '--no-default-browser-check', '--no-sandbox', '--test-type', '--disable-gpu', '--password-store=basic',
  '--disable-background-networking', '--disable-component-update', '--window-size=1240,800', '--window-position=80,40', '--lang=en-GB',
]

/** Makes the apps from the paths of their programs; root is a folder for what they keep. */
export function apps({ window, hello, bridge, chromium, page }, root) {
  const env = { ...process.env }
  for (const [name, folder] of [['DATA', 'share'], ['CACHE', 'cache'], ['CONFIG', 'config']]) env[`XDG_${name}_HOME`] = join(root, folder)
  const data = (name) => join(root, `data-${name}`)

  function launch(program, args, options = {}) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'], ...options, env: { ...env, ...options.env } })
    child.ended = once(child, 'exit')
    process.on('exit', () => child.kill('SIGKILL'))
    return child
  }
  async function end(child) {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await child.ended
    clearTimeout(late)
  }

  /** A bridge with what it says at first; it ends with its standard input. */
  async function serve(folder, args = []) {
    const child = launch(bridge, ['--data', folder, '--page', page, '--folder', root, ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    return { child, ...JSON.parse(line), close: () => (child.stdin.end(), child.ended) }
  }

  return {
    data, serve,
    window: {
      async start({ inspector } = {}) {
        const child = launch(window, ['--data', data('window'), '--log', 'off'], inspector && { env: { WEBKIT_INSPECTOR_HTTP_SERVER: inspector, TURNWATCH_TEST_INSPECTOR: '1' } })
        return { roots: [child.pid], end: () => end(child) }
      },
    },
    hello: {
      async start() {
        const child = launch(hello, [])
        return { roots: [child.pid], end: () => end(child) }
      },
    },
    chromium: {
      async start({ inspector } = {}) {
        const served = await serve(data('chromium'))
        const flags = inspector ? [`--remote-debugging-port=${inspector.split(':')[1]}`] : []
        const child = launch(chromium, [...chromiumFlags, ...flags, `--user-data-dir=${join(root, 'chromium')}`, `--app=${served.url}`])
        return { roots: [child.pid, served.child.pid], url: served.url, end: async () => (await end(child), await served.close()) }
      },
    },
  }
}
