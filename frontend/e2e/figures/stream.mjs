// What is run in the page: a turn of the demo agent that streams 500 updates a
// second, and a look at every frame meanwhile. The same in WebKitGTK and Chromium.

const wait = `async (what, f) => {
  for (let i = 0; i < 2000; i++) {
    const got = f()
    if (got) return got
    await new Promise((next) => setTimeout(next, 25))
  }
  throw new Error('never came: ' + what)
}`
const draft = `{ text: '/stream', files: [], blobs: [] }`
const row = (title) => `;(await wait('row', () => document.querySelector('button.row[title=${JSON.stringify(title)}]'))).click()`
const streams = `await wait('stream', () => /\\d\\d:\\d\\d:\\d\\d\\.\\d{3}/.test([...document.querySelectorAll('[data-seq]')].at(-1)?.textContent ?? ''))`

/** Makes a task in which the turn streams, and opens it. */
export const inNewTask = (folder) => `(async () => {
  const wait = ${wait}
  await window.go.window.Tasks.Trust(${JSON.stringify(folder)})
  await window.go.window.Tasks.New({ dir: ${JSON.stringify(folder)}, agent: 'demo', command: '', title: 'Stream', options: {}, draft: ${draft} })
  ${row('Stream')}
  ${streams}
})()`

/** Starts the turn in the task that was seeded as the first. */
export const inSeededTask = `(async () => {
  const wait = ${wait}
  ${row('Task number 1')}
  await wait('transcript', () => document.querySelector('[data-seq]'))
  await window.go.window.Tasks.Send('s1', ${draft})
  ${streams}
})()`

/**
 * Watches the frames of a while. The agent sends the time of day: what a frame
 * shows for the first time has been on its way since then, and is on the screen
 * when the next frame begins. scroll: the reader goes up and down meanwhile.
 */
export const watch = (seconds, scroll = false) => `(async () => {
  const box = document.querySelector('.frame .scroll')
  const gaps = [], ways = []
  let newest = '', shown = [], last = performance.now()
  const end = last + ${seconds * 1000}
  const day = new Date(); day.setHours(0, 0, 0, 0)
  const since = (text) => { const [h, m, s] = text.split(':'); return day.getTime() + (h * 3600 + m * 60 + Number(s)) * 1000 }
  await new Promise((done) => {
    const frame = (now) => {
      gaps.push(now - last)
      last = now
      const clock = performance.timeOrigin + performance.now()
      for (const sent of shown) ways.push(clock - sent)
      shown = []
      if (${scroll}) box.scrollTop += gaps.length % 200 < 100 ? -60 : 60
      else {
        let before = newest
        for (const row of [...document.querySelectorAll('[data-seq]')].slice(-3)) {
          for (const text of row.textContent.match(/\\d\\d:\\d\\d:\\d\\d\\.\\d{3}/g) ?? []) if (text > before) { before = text; if (newest) shown.push(since(text)) }
        }
        newest = before
      }
      if (now < end) requestAnimationFrame(frame)
      else done()
    }
    requestAnimationFrame(frame)
  })
  const at = (list, q) => list.length ? Math.round([...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))] * 10) / 10 : null
  return {
    frames: gaps.length / ${seconds}, gap50: at(gaps, 0.5), gap99: at(gaps, 0.99), gapMax: at(gaps, 1), long: gaps.filter((g) => g > 50).length / ${seconds} * 60,
    updates: ways.length / ${seconds}, way50: at(ways, 0.5), way99: at(ways, 0.99), wayMax: at(ways, 1),
    atEnd: box.scrollHeight - box.scrollTop - box.clientHeight < 24,
  }
})()`
