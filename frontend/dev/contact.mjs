// A contact sheet: every screen in every language, narrow and wide, a few screens
// to a picture. Its rows are screens, its columns languages.
//   node dev/contact.mjs [NAME…]      pictures go to shots/contact-WIDTH-N.png

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { fits, open, page as build, screens, speak, tags, widths } from './screens.mjs'
import { serve } from './serve.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const wanted = process.argv.slice(2)
const rows = { 360: 4, 1240: 4 }
const scale = { 360: 0.75, 1240: 0.4 }

const folder = await mkdtemp(join(tmpdir(), 'turnwatch-contact-'))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
await mkdir(here('../shots'), { recursive: true })
await build(join(folder, 'page'))
const server = await serve(join(folder, 'page') + '/')
try {
  for (const width of Object.keys(widths).map(Number)) {
    const list = screens.filter((s) => fits(s, width) && (wanted.length === 0 || wanted.includes(s.name)))
    for (let i = 0; i < list.length; i += rows[width]) {
      const name = `contact-${width}-${1 + i / rows[width]}.png`
      await sheet(here(`../shots/${name}`), await Promise.all(list.slice(i, i + rows[width]).map((shot) => row(shot, width))), width)
      console.log(name)
    }
  }
} finally {
  await browser.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
}

/** The pictures of one screen: a cell for each language. */
async function row(shot, width) {
  const page = await open(browser, server.url, shot, width)
  const cells = []
  for (const tag of await tags(page)) {
    await speak(page, tag)
    const file = join(folder, `${shot.name}-${width}-${tag}.png`)
    await page.screenshot({ path: file })
    cells.push({ tag, file })
  }
  await page.close()
  return { name: shot.name, cells }
}

/** Puts rows of pictures into one. */
async function sheet(path, list, width) {
  const wide = Math.round(widths[width][0] * scale[width])
  const cell = (c) => `<td><img src="${c.file}" width="${wide}"></td>`
  const html = `<!doctype html><meta charset="utf-8"><style>body{margin:8px;font:14px sans-serif;background:#bbb}td,th{padding:3px;text-align:start;vertical-align:top}img{display:block}</style><table>
    ${list.map((r) => `<tr>${r.cells.map((c) => `<th>${r.name} · ${c.tag}</th>`).join('')}</tr><tr>${r.cells.map(cell).join('')}</tr>`).join('')}</table>`
  const file = join(folder, 'sheet.html')
  await writeFile(file, html)
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
  await page.goto(`file://${file}`)
  await page.locator('table').screenshot({ path })
  await page.close()
}
