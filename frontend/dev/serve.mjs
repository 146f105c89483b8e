// Serves a built page on a random port of this machine, under the policy that the
// window sets.

import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'

export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

export async function serve(root) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname)
    const file = join(root, path.endsWith('/') ? path + 'index.html' : path)
    try {
      const body = await readFile(file)
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
