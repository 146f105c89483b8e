// The screens that are looked at in every language, and how a browser gets there.
// It gets there in English; speak(page, TAG) then changes the language.

import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { shots } from './shots.list.mjs'

// What says no other words than another screen does, or says nobody's words.
const left = ['task-top', 'longword', 'arabic', 'rtl', 'many', 'long', 'hostile', 'huge-message', 'mode', 'files']
export const screens = shots.filter((shot) => !left.includes(shot.name))
export const widths = { 360: [360, 740], 1240: [1240, 800] }

/** Whether a screen is there at a width. */
export const fits = (shot, width) => !shot.sizes || shot.sizes.includes(width === 1240 ? 'wide' : 'narrow') || shot.sizes.includes(width === 1240 ? 'wide' : 'least')

/** Builds the page with the scripted core into a folder. */
export async function page(folder) {
  await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), root: fileURLToPath(new URL('.', import.meta.url)), logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
}

/** Opens a screen at a width, in English. */
export async function open(browser, url, shot, width, patience = 180_000) {
  const [w, height] = widths[width]
  const page = await browser.newPage({ viewport: { width: w, height }, reducedMotion: 'reduce', locale: 'en-GB' })
  page.setDefaultTimeout(patience)
  await page.goto(`${url}?scene=${shot.scene ?? 'busy'}&task=${shot.task ?? ''}&theme=light`)
  await page.locator('.shell').waitFor()
  await still(page)
  await shot.act?.(page, width === 1240 ? 'wide' : 'least')
  await still(page)
  return page
}

/** Changes the language of a page. */
export async function speak(page, tag) {
  await page.evaluate((t) => window.speak(t), tag)
  await still(page)
}

/** All languages, English first. */
export const tags = (page) => page.evaluate(() => window.speak.tags)

// A few frames: sizes are known then.
const still = (page) =>
  page.evaluate(() => new Promise((done) => {
    let n = 3
    const next = () => (n-- > 0 ? requestAnimationFrame(next) : done())
    next()
  }))
