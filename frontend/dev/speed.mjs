// How the page keeps up: 10,000 parts, text that streams, the reader at the end
// and scrolling. Figures are reported, never asserted.
//   node dev/speed.mjs

import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { serve } from './serve.mjs'

const server = await serve(fileURLToPath(new URL('../dist-dev/', import.meta.url)))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1240, height: 800 } })
const started = Date.now()
await page.goto(`${server.url}?scene=stream&task=t4`)
await page.locator('[role=article]').last().waitFor()
console.log(`first rows after ${Date.now() - started} ms`)

const measure = (scroll) =>
  page.evaluate(async (scroll) => {
    const box = document.querySelector('.frame .scroll')
    const gaps = []
    let last = performance.now()
    const end = last + 5000
    await new Promise((done) => {
      const frame = (now) => {
        gaps.push(now - last)
        last = now
        if (scroll) box.scrollTop -= 120
        if (now < end) requestAnimationFrame(frame)
        else done()
      }
      requestAnimationFrame(frame)
    })
    gaps.sort((a, b) => a - b)
    const at = (q) => Math.round(gaps[Math.floor(gaps.length * q)] * 10) / 10
    return { frames: Math.round(gaps.length / 5), p50: at(0.5), p99: at(0.99), most: Math.round(gaps.at(-1)), rows: document.querySelectorAll('[role=article]').length, atEnd: box.scrollHeight - box.scrollTop - box.clientHeight < 24 }
  }, scroll)
const cpu = async (name, run) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const task = async () => (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value
  const before = await task()
  const result = await run()
  console.log(name, JSON.stringify(result), `main thread ${(await task() - before).toFixed(2)} s of 5`)
}
await cpu('at the end', () => measure(false))
await cpu('scrolling', () => measure(true))
await browser.close()
server.close()
