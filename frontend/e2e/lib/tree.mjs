// What a screen reader is told of the page: Chromium's accessibility tree as text,
// one thing a line, with what differs from run to run taken out.

import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'

const here = new URL('../trees/', import.meta.url)
// What only holds other things, or is a piece of a text that is told already.
const through = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'ListMarker', 'presentation', 'paragraph', 'emphasis', 'strong', 'time', 'RootWebArea', 'LabelText', 'MenuListPopup', 'Legend', 'DisclosureTriangle', 'DisclosureTriangleGrouped', 'Abbr', 'Canvas', 'Iframe'])
const told = ['level', 'checked', 'pressed', 'expanded', 'selected', 'disabled', 'modal']

/** The tree as lines. gone are texts that differ from run to run. */
export async function tree(page, gone = []) {
  const world = await page.context().newCDPSession(page)
  const { nodes } = await world.send('Accessibility.getFullAXTree')
  await world.detach()
  const by = new Map(nodes.map((n) => [n.nodeId, n]))
  const plain = (text) => steady(text, gone)
  const out = []
  const walk = (node, depth, above) => {
    const role = node.role?.value ?? 'none'
    const name = plain(node.name?.value ?? '')
    let inner = depth
    let named = above
    const words = role === 'StaticText'
    const nothing = words && (name === '' || above.includes(name) || /^(WHEN|LONG)$/.test(name))
    if (!node.ignored && !through.has(role) && !nothing) {
      const marks = (node.properties ?? []).filter((p) => told.includes(p.name) && ![false, 'false'].includes(p.value.value)).map((p) => (p.value.value === true || p.value.value === 'true' ? p.name : `${p.name}=${p.value.value}`))
      const value = !words && node.value?.value ? [`value “${plain(String(node.value.value))}”`] : []
      out.push(`${'  '.repeat(depth)}${[words ? 'text' : role, name && `“${name}”`, ...marks.sort(), ...value].filter(Boolean).join(' ')}`)
      inner = depth + 1
      named = words ? above : `${above} ${name}`
    }
    // Whether the live region still holds something depends on when the task was opened.
    if (role === 'status' && depth === 0) return
    if (!words) for (const id of node.childIds ?? []) if (by.has(id)) walk(by.get(id), inner, named)
  }
  walk(nodes[0], 0, '')
  return `${out.join('\n')}\n`
}

function steady(text, gone) {
  let out = text.replace(/\s+/g, ' ').trim()
  for (const [from, to] of gone) out = out.replaceAll(from, to)
  return out
    .replace(/\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*(?: \d{4})?(?:,? (?:at )?\d{1,2}:\d\d(?::\d\d)?)?/g, 'WHEN')
    .replace(/\b\d{1,2}:\d\d(?::\d\d)?\b/g, 'WHEN')
    .replace(/\b\d+ hrs?(?: \d+ mins?)?\b|\b\d+ mins?\b/g, 'LONG')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|m|h|min)\b/g, 'LONG')
    .replace(/(?<= )now(?= \S+ ·)/g, 'LONG')
    .replace(/\S+ demo-agent/g, 'PROGRAM demo-agent')
    .replace(/\w+\/\w+ · go[\w.]+/g, 'SYSTEM')
}

/** Compares the tree with the one that is kept; TURNWATCH_TEST_TREES=keep keeps this one. */
export async function sameTree(page, name, gone = []) {
  const file = new URL(`${name}.txt`, here)
  const now = await tree(page, gone)
  if (process.env.TURNWATCH_TEST_TREES === 'keep') {
    await mkdir(here, { recursive: true })
    await writeFile(file, now)
  }
  assert.equal(now, await readFile(file, 'utf8'), `what is told of ${name} is not what e2e/trees/${name}.txt has`)
}
