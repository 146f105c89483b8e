// Speaks to the page of the real window through WebKit's remote inspector, so that
// the program that is shipped can be driven as it is. The window must have been
// started with WEBKIT_INSPECTOR_HTTP_SERVER=HOST:PORT and
// TURNWATCH_TEST_INSPECTOR=1. Needs a WebSocket: Node 22, or Node 20 with
// --experimental-websocket.

/** Waits until the view is there and gives a way to run scripts in it. */
export async function inspect(address, patience = 15_000) {
  const until = Date.now() + patience
  for (;;) {
    try {
      return await connect(address)
    } catch (reason) {
      if (Date.now() > until) throw new Error(`no page at ${address}: ${reason.message}`)
      await new Promise((go) => setTimeout(go, 100))
    }
  }
}

async function connect(address) {
  const list = await (await fetch(`http://${address}/`, { signal: AbortSignal.timeout(3000) })).text()
  const path = list.match(/socket\/\d+\/\d+\/\w+/)
  if (!path) throw new Error('the inspector lists no page')
  const socket = new WebSocket(`ws://${address}/${path[0]}`)
  const waiting = new Map()
  let target = ''
  let found = () => {}
  const known = new Promise((go) => (found = go))
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    if (message.method === 'Target.targetCreated' && message.params.targetInfo.type === 'page') {
      target = message.params.targetInfo.targetId
      found()
    }
    if (message.method !== 'Target.dispatchMessageFromTarget') return
    const inner = JSON.parse(message.params.message)
    if (inner.method && process.env.SMOKE_LOG) console.error(JSON.stringify(inner).slice(0, 600))
    waiting.get(inner.id)?.(inner)
    waiting.delete(inner.id)
  }
  await new Promise((open, fail) => {
    socket.onopen = open
    socket.onerror = () => fail(new Error('the inspector refused'))
  })
  try {
    await Promise.race([known, new Promise((_, fail) => setTimeout(() => fail(new Error('the page did not report')), 10_000))])
  } catch (reason) {
    socket.close()
    throw reason
  }

  let id = 0
  async function send(method, params = {}) {
    const mine = ++id
    const answer = new Promise((go) => waiting.set(mine, go))
    socket.send(JSON.stringify({
      id: mine, method: 'Target.sendMessageToTarget',
      params: { targetId: target, message: JSON.stringify({ id: mine, method, params }) },
    }))
    const { error, result } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /**
   * Runs an expression in the page, waits for its promise, gives its JSON value.
   * A page that is loaded anew meanwhile forgets it: that is an error in the end.
   */
  async function run(expression, patience = 10_000) {
    const end = Date.now() + patience
    const name = `__smoke${++id}`
    await send('Runtime.evaluate', {
      expression: `Promise.resolve((async () => (${expression}))()).then(
        (v) => { window.${name} = JSON.stringify({ value: v ?? null }) },
        (e) => { window.${name} = JSON.stringify({ error: String(e && e.message || e) }) })`,
    })
    for (;;) {
      const { result } = await send('Runtime.evaluate', { expression: `window.${name} ?? ''`, returnByValue: true })
      if (result.value) {
        const { value, error } = JSON.parse(result.value)
        if (error) throw new Error(error)
        return value
      }
      if (Date.now() > end) throw new Error(`no answer to ${expression}`)
      await new Promise((go) => setTimeout(go, 20))
    }
  }

  /** Waits until an expression is true in the page. */
  async function until(expression, patience = 10_000) {
    const end = Date.now() + patience
    while (Date.now() < end) {
      if (await run(expression, 2000).catch(() => false)) return
      await new Promise((go) => setTimeout(go, 50))
    }
    throw new Error(`never came true: ${expression}`)
  }

  return { run, until, send, close: () => socket.close() }
}
