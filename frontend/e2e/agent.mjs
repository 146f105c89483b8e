// An agent that says what a test asks for: what the demo agent has no scenario
// of. It speaks the Agent Client Protocol over its standard input and output.
//   word · rtl · bidi · big BYTES · count NUMBER
//   announce (says what comes next, and stops) · stubborn (does so from then on, whatever it is asked)
//   and, until they are cancelled: quiet · hidden (a tool whose title tells its input) · loop · halt (stops itself)

import { createInterface } from 'node:readline'

const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n')
const say = (sessionId, text) =>
  write({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', messageId: `m${++message}`, content: { type: 'text', text } } } })
const go = new Map([
  ['word', async (id) => say(id, `One word: ${'w'.repeat(200)}, and in code: \`${'c'.repeat(200)}\`\n\n| a |\n|---|\n| ${'t'.repeat(200)} |`)],
  ['rtl', async (id) => say(id, 'مرحبا بالعالم. هذا نص من اليمين إلى اليسار مع كلمة Turnwatch في الوسط.\n\n- שלום עולם\n- `path/to/file.go`')],
  ['bidi', async (id) => say(id, 'A file: `evil\u202Etxt.exe`, and \u2067turned\u2069 round.\n\n```\nif x { \u202E } // \u2066 end\n```')],
  ['announce', async (id) => say(id, 'I have read the parser. Next I will write the tests:')],
  ['stubborn', async (id) => ((stubborn = true), say(id, 'I have read the parser. Next I will write the tests:'))],
  ['quiet', async (id) => (say(id, 'One moment.'), cancelled(id))],
  ['hidden', async (id) => (tool(id, { title: 'sleep 300', kind: 'execute', rawInput: { command: 'sleep 300' } }), cancelled(id))],
  ['loop', loop],
  ['halt', async (id) => (say(id, 'I stand still now.'), setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 200), cancelled(id))],
  ['big', async (id, n) => say(id, lines(Number(n)))],
  ['count', count],
])
let message = 0
let stubborn = false
const waiting = new Map() // by session: who is told that the turn was cancelled
const cancelled = (id) => new Promise((done) => waiting.set(id, () => done('cancelled')))
const tool = (sessionId, call) => write({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'tool_call', toolCallId: 'c1', status: 'in_progress', ...call } } })

// The same again and again, each time as a new message, as when a stream ends without a reason.
async function loop(id) {
  for (let i = 0; i < 15; i++) say(id, 'Let me look.')
  return cancelled(id)
}

function lines(bytes) {
  const line = 'A line of a very long message, as an agent prints a whole file.\n'
  return `${line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes - 12)}\n\nthe very end`
}

// Counts up in one message, at a reader's pace, so that a test can come in between.
async function count(id, n) {
  const messageId = `m${++message}`
  for (let i = 1; i <= Number(n); i++) {
    write({ method: 'session/update', params: { sessionId: id, update: { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: `n${i} ` } } } })
    await new Promise((next) => setTimeout(next, 20))
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') write({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } })
  else if (method === 'session/new') write({ id, result: { sessionId: 's1' } })
  else if (method === 'session/prompt') {
    const [what, more] = params.prompt[0].text.split(' ')
    void (go.get(stubborn ? 'announce' : what) ?? (async (s) => say(s, 'Nothing to say to that.')))(params.sessionId, more).then((reason) => write({ id, result: { stopReason: reason ?? 'end_turn' } }))
  } else if (method === 'session/cancel') waiting.get(params.sessionId)?.()
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'method not found' } })
}
