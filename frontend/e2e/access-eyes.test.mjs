// For eyes that need it larger, stiller or in their own colours, and for ears.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, until } from './lib/page.mjs'

const shots = process.env.TURNWATCH_TEST_SHOTS
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

// What does not fit at this size of text: pages that scroll sideways, controls
// outside the window, text cut where it is not meant to be.
function lost() {
  const bad = []
  for (const e of [document.documentElement, ...document.querySelectorAll('main, .screen, .scroll, dialog')]) if (e.scrollWidth > e.clientWidth + 1) bad.push(`${e.tagName}.${e.className} scrolls sideways`)
  for (const e of document.querySelectorAll('button, summary, input, select, textarea, h1, h2, h3, p, label, kbd')) {
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.closest('.unseen, [aria-hidden=true], .word, .brand, pre')) continue
    const r = e.getBoundingClientRect()
    if (r.width < 2 || r.height < 2) continue
    const name = `${e.tagName}.${e.className} “${(e.textContent || e.getAttribute('aria-label') || '').trim().slice(0, 40)}”`
    if (r.left < -1 || r.right > innerWidth + 1) bad.push(`${name} is outside: ${Math.round(r.left)}–${Math.round(r.right)}`)
    const s = getComputedStyle(e)
    if (e.tagName !== 'INPUT' && e.tagName !== 'TEXTAREA' && !e.closest('.cut') && (s.overflow === 'hidden' || s.overflow === 'clip') && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2)) bad.push(`${name} is cut`)
  }
  return bad
}

/** Runs f on every screen. */
async function everywhere(w, f) {
  const { page } = w
  await f('task')
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'New task' }).waitFor()
  await f('new')
  await page.keyboard.press('Alt+h')
  await page.locator('.past').first().waitFor()
  await f('history')
  await page.keyboard.press('Control+,')
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await f('settings')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await f('palette')
  await page.keyboard.press('Escape')
  await page.evaluate(() => document.activeElement?.blur())
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await f('shortcuts')
  await page.keyboard.press('Escape')
}

test('text at 200 % loses nothing at 1240 and at 390', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('permission', 'Ask me')
  await page.getByRole('button', { name: /Answer nothing/ }).waitFor()
  const bad = []
  for (const width of [1240, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await page.keyboard.press('Alt+t')
    await page.evaluate(() => document.activeElement?.blur())
    await everywhere(w, async (name) => {
      await settled(page)
      if (shots) await page.screenshot({ path: `${shots}/large-${name}-${width}.png` })
      for (const trouble of await page.evaluate(lost)) bad.push(`${name} at ${width}: ${trouble}`)
    })
    await page.keyboard.press('Alt+t')
    await page.keyboard.press('k') // from the form back to the task
  }
  assert.deepEqual(bad, [])
})

test('nothing moves where less motion is wanted, and nothing for long where not', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('long-quiet-tool', 'Wait long')
  await w.reaches('Working')
  const longest = () => page.evaluate(() => Math.max(...[...document.querySelectorAll('*')].flatMap((e) => {
    const s = getComputedStyle(e)
    return [s.transitionDuration, s.animationName === 'none' ? '0s' : s.animationDuration].flatMap((d) => d.split(',').map((x) => parseFloat(x) * (x.trim().endsWith('ms') ? 1 : 1000)))
  })))
  for (const [motion, most] of [['reduce', 0.1], ['no-preference', 150]]) {
    await page.emulateMedia({ reducedMotion: motion })
    await settled(page)
    assert.ok((await longest()) <= most, `${motion}: ${await longest()} ms`)
  }
})

test('in forced colours states keep their shapes and the focus its mark', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('ok', 'Say hello')
  await w.reaches('Done')
  await w.play('permission', 'Ask me')
  await page.getByRole('button', { name: /Answer nothing/ }).waitFor()
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await settled(page)
    if (shots) await page.screenshot({ path: `${shots}/forced-${colorScheme}.png` })
    const unseen = await page.evaluate(() => {
      const ground = (e) => (e ? (/rgba\(.*, 0\)|transparent/.test(getComputedStyle(e).backgroundColor) ? ground(e.parentElement) : getComputedStyle(e).backgroundColor) : 'rgb(255, 255, 255)')
      // A shape is drawn by what fills or strokes it: one of them must stand out.
      return [...document.querySelectorAll('.row svg, .pill svg, nav svg, header svg')].filter((svg) => {
        const under = ground(svg.parentElement)
        const drawn = [svg, ...svg.querySelectorAll('*')].flatMap((x) => [getComputedStyle(x).fill, getComputedStyle(x).stroke])
        return drawn.every((c) => c === 'none' || c === under)
      }).map((svg) => svg.parentElement?.className || svg.parentElement?.tagName)
    })
    assert.deepEqual(unseen, [])
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)
    assert.notEqual(outline, 'none')
  }
})

test('each change of state is said once, and no tick of a clock is', async (t) => {
  const w = await open(t)
  const { page } = w
  await w.play('permission', 'Ask me')
  const answer = page.getByRole('button', { name: /Answer nothing/ })
  await answer.waitFor()
  await page.evaluate(() => {
    window.heard = []
    const hear = (node) => {
      const text = node?.textContent?.trim()
      if (text) window.heard.push(text)
    }
    // The announcer alone: it is the last live region of the page.
    const region = [...document.querySelectorAll('p[role=status][aria-live=polite]')].at(-1)
    new MutationObserver(() => hear(region)).observe(region, { childList: true, characterData: true, subtree: true })
  })
  await page.getByRole('button', { name: /^Allow once/ }).click()
  await w.reaches('Done')
  await until('the end to be said', () => page.evaluate(() => window.heard.at(-1) === 'Done'))
  const heard = await page.evaluate(() => window.heard)
  assert.deepEqual(heard.filter((x, i) => x === heard[i - 1]), [], 'nothing twice in a row')
  assert.equal(heard.filter((x) => x === 'Done').length, 1)
  assert.ok(!heard.some((x) => /\d:\d\d|\d s\b/.test(x)), heard.join(' | '))
})
