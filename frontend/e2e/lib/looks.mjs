// What every screen has to be at every width and in both themes: free of
// accessibility violations, never wider than the window, big enough to touch.

import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const sizes = [[1240, 800], [390, 844], [360, 740]]
const shots = process.env.TURNWATCH_TEST_SHOTS
if (shots) await mkdir(shots, { recursive: true })

/** Looks at what is shown now, then puts the window back. */
export async function looks(page, name) {
  const before = page.viewportSize()
  const bad = []
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme })
      await settled(page)
      const where = `${name} at ${width} ${theme}`
      if (shots) await page.screenshot({ path: `${shots}/${name}-${width}-${theme}.png` })
      for (const trouble of [...(await page.evaluate(wide)), ...(width < 640 ? await page.evaluate(small) : []), ...(await violations(page))]) bad.push(`${where}: ${trouble}`)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
  await settled(page)
  assert.deepEqual(bad, [])
}

// Two frames: what a change of size or theme does is done.
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

// From outside the policy of the page: axe is a test's script.
async function violations(page) {
  const world = await page.context().newCDPSession(page)
  const run = async (expression) => (await world.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result.value
  if (!(await run('"axe" in window'))) await run(axe)
  const found = await run(`axe.run({ resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) =>
    v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join(' | '))))`)
  await world.detach()
  return found === undefined ? ['axe did not run'] : JSON.parse(found).map((v) => `axe ${v}`)
}

function wide() {
  return [document.documentElement, ...document.querySelectorAll('main, .screen, .scroll, dialog')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.tagName}.${e.className} scrolls sideways: ${e.scrollWidth} > ${e.clientWidth}`)
}

// Targets that a finger misses: what stands in the window and is less than 44 px
// high, itself or the label around it.
function small() {
  const out = []
  for (const e of document.querySelectorAll('button, summary, input:not([hidden]), textarea, select, [role=option], [role=menuitem]')) {
    const box = e.closest('label') ?? e
    const r = box.getBoundingClientRect()
    const style = getComputedStyle(e)
    if (r.height === 0 || r.width === 0 || style.visibility === 'hidden' || style.opacity === '0' || e.closest('[inert]')) continue
    if (!e.checkVisibility() || (e.classList.contains('unseen') && box === e)) continue
    if (r.height < 43.5) out.push(`target ${e.tagName}.${e.className} "${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 30)}" ${Math.round(r.width)}x${Math.round(r.height)}`)
  }
  return out.slice(0, 6)
}
