// Pictures of every screen and state, and for each: no accessibility violation,
// no horizontal scroll, no error in the console, nothing outside the policy.
//   node dev/shots.mjs [NAME…]       pictures go to shots/

import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { serve } from './serve.mjs'
import { shots, sizes } from './shots.list.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const wanted = process.argv.slice(2)
const axe = await readFile(here('../node_modules/axe-core/axe.min.js'), 'utf8')
const server = await serve(here('../dist-dev/'))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
await mkdir(here('../shots'), { recursive: true })

let bad = 0
for (const shot of shots) {
  if (wanted.length > 0 && !wanted.some((w) => shot.name.startsWith(w))) continue
  for (const size of shot.sizes ?? ['wide', 'narrow']) {
    for (const theme of shot.themes ?? ['light']) {
      const name = `${shot.name}-${size}-${theme}`
      for (const trouble of await take(shot, size, theme, name)) {
        bad++
        console.log(`${name}: ${trouble}`)
      }
    }
  }
}
await browser.close()
server.close()
console.log(bad === 0 ? 'all well' : `${bad} troubles`)
process.exitCode = bad === 0 ? 0 : 1

async function take(shot, size, theme, name) {
  const troubles = []
  const [width, height] = sizes[size]
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce', bypassCSP: false })
  page.on('console', (m) => m.type() === 'error' && troubles.push(`console: ${m.text().slice(0, 300)}`))
  page.on('pageerror', (e) => troubles.push(`error: ${e.message}`))
  page.on('request', (r) => r.url().startsWith(server.url) || r.url().startsWith('data:') || troubles.push(`asked for ${r.url()}`))
  try {
    await page.goto(`${server.url}?scene=${shot.scene ?? 'busy'}&task=${shot.task ?? ''}&theme=${theme}&dir=${shot.dir ?? 'ltr'}`)
    await page.locator('.shell').waitFor()
    await page.waitForTimeout(150)
    await shot.act?.(page, size)
    await page.waitForTimeout(150)
    await page.screenshot({ path: here(`../shots/${name}.png`) })
    const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('main, .screen, .scroll, dialog')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.tagName}.${e.className} ${e.scrollWidth}>${e.clientWidth}`))
    if (wide.length) troubles.push(`scrolls sideways: ${wide.join(', ')}`)
    // From outside the policy of the page: axe is a test's script.
    const world = await page.context().newCDPSession(page)
    await world.send('Runtime.evaluate', { expression: axe })
    const found = await world.send('Runtime.evaluate', { expression: 'axe.run({ resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | "))))', awaitPromise: true, returnByValue: true })
    for (const v of JSON.parse(found.result.value ?? '["axe did not run"]')) troubles.push(`axe ${v}`)
    if (size !== 'wide' && size !== 'huge') troubles.push(...(await page.evaluate(small)))
  } catch (e) {
    troubles.push(`failed: ${e.message.split('\n').slice(0, 3).join(' ')}`)
    await page.screenshot({ path: here(`../shots/${name}.png`) }).catch(() => undefined)
  }
  await page.close()
  return troubles
}

// Targets of less than 44 px in a narrow window.
function small() {
  const out = []
  for (const e of document.querySelectorAll('button, summary, input:not([type=radio]):not([hidden]), textarea, select, [role=option], [role=menuitem]')) {
    const r = e.getBoundingClientRect()
    if (r.height === 0 || r.width === 0 || getComputedStyle(e).visibility === 'hidden' || e.closest('[inert]')) continue
    if (e.classList.contains('unseen') || e.classList.contains('copy')) continue
    if (r.height < 43.5) out.push(`target ${e.tagName}.${e.className} "${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 30)}" ${Math.round(r.width)}x${Math.round(r.height)}`)
  }
  return out.slice(0, 6)
}
