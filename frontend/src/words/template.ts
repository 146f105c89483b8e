// Reads the small part of Go's template language that the sentences use:
// {{.name}}, {{if .name}} … {{else if .name}} … {{else}} … {{end}}. Anything else
// is shown as it stands, which a test keeps from happening.

export type Args = Record<string, string | number | undefined>
type Node = string | { name: string } | { branches: { when: string; then: Node[] }[] }

const token = /\{\{\s*(?:(\.\w+)|if\s+\.(\w+)|(else)(?:\s+if\s+\.(\w+))?|(end))\s*\}\}/g

/** Parses a sentence. It never throws: a stray end or else is left out. */
export function parse(source: string): Node[] {
  const root: Node[] = []
  const stack: { nodes: Node[]; branches: { when: string; then: Node[] }[] }[] = []
  let nodes = root
  let from = 0
  for (const match of source.matchAll(token)) {
    if (match.index > from) nodes.push(source.slice(from, match.index))
    from = match.index + match[0].length
    const [, name, when, otherwise, otherwiseWhen, end] = match
    if (name) nodes.push({ name: name.slice(1) })
    else if (when) {
      const branches = [{ when, then: [] as Node[] }]
      nodes.push({ branches })
      stack.push({ nodes, branches })
      nodes = branches[0]!.then
    } else if (otherwise) {
      const open = stack.at(-1)
      if (!open) continue
      const branch = { when: otherwiseWhen ?? '', then: [] as Node[] }
      open.branches.push(branch)
      nodes = branch.then
    } else if (end) nodes = stack.pop()?.nodes ?? nodes
  }
  if (from < source.length) nodes.push(source.slice(from))
  return root
}

/**
 * Puts the arguments in; a missing one is an empty text, as it is in Go. Each goes
 * through as, which may change how it is written.
 */
export function put(nodes: Node[], args: Args, as: (text: string) => string = String): string {
  let out = ''
  for (const node of nodes) {
    if (typeof node === 'string') out += node
    else if ('name' in node) out += as(String(args[node.name] ?? ''))
    else {
      const branch = node.branches.find((b) => b.when === '' || Boolean(args[b.when]))
      if (branch) out += put(branch.then, args, as)
    }
  }
  return out
}

/** The names of all arguments that a sentence uses. */
export function names(nodes: Node[]): Set<string> {
  const all = new Set<string>()
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if ('name' in node) all.add(node.name)
    else
      for (const b of node.branches) {
        if (b.when) all.add(b.when)
        for (const n of names(b.then)) all.add(n)
      }
  }
  return all
}
