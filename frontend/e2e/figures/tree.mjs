// What a program and all that it started takes, as the kernel counts it.

import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100 // what /proc counts in, on every Linux that we build for

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has ended, or is not ours to look at
  }
}

/** One process: its parent, name and processor time; null where it is gone. */
function look(pid) {
  const text = read(`/proc/${pid}/stat`)
  const end = text.lastIndexOf(')')
  if (end < 0) return null
  const rest = text.slice(end + 2).split(' ')
  return { pid, parent: Number(rest[1]), name: text.slice(text.indexOf('(') + 1, end), ticks: Number(rest[11]) + Number(rest[12]) }
}

/** The processes below the roots, the roots among them. */
export function tree(roots) {
  const all = readdirSync('/proc').filter((n) => /^\d+$/.test(n)).map((n) => look(Number(n))).filter(Boolean)
  const found = all.filter((p) => roots.includes(p.pid))
  for (let i = 0; i < found.length; i++) found.push(...all.filter((p) => p.parent === found[i].pid && !found.includes(p)))
  return found
}

const isAgent = (p) => read(`/proc/${p.pid}/cmdline`).split('\0').includes('demo-agent')

/** The memory of a tree in bytes, where what is shared counts for each in part. */
export function memory(roots) {
  let bytes = 0
  for (const p of tree(roots)) {
    const found = read(`/proc/${p.pid}/smaps_rollup`).match(/^Pss:\s+(\d+) kB$/m)
    if (found) bytes += Number(found[1]) * 1024
  }
  return bytes
}

/** The processor time that a tree has taken so far, in milliseconds: little changed by what else the machine does. */
export function spent(roots) {
  return tree(roots).reduce((sum, p) => sum + p.ticks, 0) / ticksPerSecond * 1000
}

/**
 * The processor time of a tree over a while, in hundredths of one core. Agents
 * are left out: they are not ours.
 */
export async function cpu(roots, seconds) {
  const before = new Map(tree(roots).map((p) => [p.pid, p.ticks]))
  const began = performance.now()
  await new Promise((over) => setTimeout(over, seconds * 1000))
  const after = tree(roots).filter((p) => !isAgent(p))
  const took = (performance.now() - began) / 1000
  const by = {}
  let ticks = 0
  for (const p of after) {
    const used = p.ticks - (before.get(p.pid) ?? 0)
    ticks += used
    by[p.name] = (by[p.name] ?? 0) + (used / ticksPerSecond / took) * 100
  }
  return { percent: (ticks / ticksPerSecond / took) * 100, by }
}
