// Goes through a page by key alone, and says at each step where the focus is and
// whether it can be seen.

import assert from 'node:assert/strict'
import { until } from './page.mjs'

/** What has the focus: its role-like tag, its name, and what marks it. */
const focused = (page) =>
  page.evaluate(() => {
    const e = document.activeElement
    if (!e || e === document.body) return null
    const name = e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.getAttribute('title') ?? e.textContent ?? ''
    // A control that cannot be seen itself is marked by what stands around it.
    const marks = [e, e.closest('label'), e.closest('.seg, .what')?.parentElement].filter(Boolean).map((m) => getComputedStyle(m))
    const plain = marks.some((s) => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none')
    return { tag: e.tagName.toLowerCase(), name: name.replace(/\s+/g, ' ').trim().slice(0, 60), type: e.type ?? '', seen: plain || (e.role === 'menuitem' && marks[0].backgroundColor !== 'rgba(0, 0, 0, 0)') }
  })

/** Presses Tab until what has the focus fits; each stop on the way must be visible. */
export async function tabTo(page, fits, { back = false, most = 80 } = {}) {
  const way = []
  for (let i = 0; i < most; i++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const at = await focused(page)
    if (!at) continue
    way.push(at.name)
    assert.ok(at.seen, `the focus on ${at.tag} “${at.name}” cannot be seen`)
    if (fits.test(at.name)) return at
  }
  throw new Error(`no way by Tab to ${fits}: ${way.join(' | ')}`)
}

/** Goes once round by Tab and gives every stop. */
export async function round(page, most = 120) {
  const stops = []
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (!at) break // out of the page
    stops.push(at)
  }
  return stops
}

/** Presses a key again and again until something is so: an answer is not taken in the first moment. */
export const pressUntil = (page, key, what, f) =>
  until(what, async () => {
    await page.keyboard.press(key)
    return f()
  })
