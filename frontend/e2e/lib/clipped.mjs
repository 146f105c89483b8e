// Runs in the page: what of its text cannot be read. It is given to evaluate(), so
// it may use nothing from outside itself.

/** Text that is cut off, that leaves the window or its control, or that lies on other text. */
export function clipped() {
  const bad = []
  const name = (e) => `${e.tagName.toLowerCase()}${e.className && typeof e.className === 'string' ? '.' + e.className.trim().split(/\s+/).slice(0, 2).join('.') : ''}`
  const short = (s) => JSON.stringify(s.trim().replace(/\s+/g, ' ').slice(0, 40))
  const styles = new Map()
  const style = (e) => styles.get(e) ?? (styles.set(e, getComputedStyle(e)), styles.get(e))
  const controls = 'button, a, .pill, kbd, summary, option, [role=option], [role=menuitem], [role=tab], td, th, label, dialog'
  // The plane that something lies in: what is laid over the rest is another one.
  const plane = (e) => {
    for (let a = e; a && a !== document.body; a = a.parentElement) if (['absolute', 'fixed', 'sticky'].includes(style(a).position) || a.matches('dialog, [popover]')) return a
    return document.body
  }
  const modal = document.querySelector('dialog:modal')
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement
    if (!node.data.trim() || !e || e.closest('svg, select, textarea, .unseen, script, style, [hidden]')) continue
    if (modal && !modal.contains(e)) continue
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()]
    if (rects.length > 2 && rects.every((r) => r.width < 1.4 * parseFloat(style(e).fontSize)) && !e.closest('pre, code, bdi')) bad.push(`squeezed: ${name(e)} ${short(node.data)}`)
    for (const r of rects) if (r.width > 1 && r.height > 1) look(node, e, r)
  }

  function look(node, e, r) {
    let shortened = false
    let box = null
    let seen = { left: r.left, right: r.right, top: r.top, bottom: r.bottom }
    for (let a = e; a && a !== document.documentElement; a = a.parentElement) {
      const s = style(a)
      const b = a.getBoundingClientRect()
      if (s.textOverflow === 'ellipsis' || s.webkitLineClamp !== 'none') shortened = true
      if (s.clipPath !== 'none') return
      const scrolls = (way) => /auto|scroll/.test(s[`overflow${way}`])
      const cuts = (way) => /hidden|clip/.test(s[`overflow${way}`])
      if (!box && a.matches(controls) && s.display !== 'inline') {
        box = a
        if (!shortened && !scrolls('X') && (r.left < b.left - 1 || r.right > b.right + 1)) bad.push(`spills out of ${name(a)}: ${short(node.data)} ${Math.round(Math.max(b.left - r.left, r.right - b.right))} px`)
      }
      if (cuts('X') && !shortened && (seen.left < b.left - 1 || seen.right > b.right + 1)) bad.push(`cut off by ${name(a)}: ${short(node.data)} ${Math.round(Math.max(b.left - seen.left, seen.right - b.right))} px`)
      if (cuts('Y') && !scrolls('X') && a !== document.body && s.webkitLineClamp === 'none' && seen.top < b.bottom - 1 && seen.bottom > b.bottom + 3 && !a.matches('.folded')) bad.push(`cut off below by ${name(a)}: ${short(node.data)}`)
      if (scrolls('X') || cuts('X')) seen = { ...seen, left: Math.max(seen.left, b.left), right: Math.min(seen.right, b.right) }
      if (scrolls('Y') || cuts('Y')) seen = { ...seen, top: Math.max(seen.top, b.top), bottom: Math.min(seen.bottom, b.bottom) }
      if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) return
      if (s.position === 'fixed') break
    }
    if (seen.left < -1 || seen.right > innerWidth + 1) bad.push(`outside the window: ${name(e)} ${short(node.data)}`)
    texts.push({ e, node, seen, plane: plane(e) })
  }

  // Two texts on one another: in the same plane, by more than the air in a line.
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length; j++) {
      const [a, b] = [texts[i], texts[j]]
      if (a.e === b.e || a.plane !== b.plane) continue
      const wide = Math.min(a.seen.right, b.seen.right) - Math.max(a.seen.left, b.seen.left)
      const high = Math.min(a.seen.bottom, b.seen.bottom) - Math.max(a.seen.top, b.seen.top)
      const least = Math.min(a.seen.bottom - a.seen.top, b.seen.bottom - b.seen.top)
      if (wide > 2 && high > least * 0.4) bad.push(`on one another: ${name(a.e)} ${short(a.node.data)} and ${name(b.e)} ${short(b.node.data)}`)
    }
  }

  // Controls beside one another.
  const sides = new Map()
  for (const e of document.querySelectorAll('button, input:not([hidden]), select, textarea, summary, .pill, h1, h2')) {
    if (e.closest('.unseen') || e.classList.contains('unseen') || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (modal && !modal.contains(e)) continue
    if (['absolute', 'fixed', 'sticky'].includes(style(e).position)) continue
    const r = e.getBoundingClientRect()
    if (r.width < 1 || r.height < 1) continue
    const list = sides.get(e.parentElement) ?? []
    for (const other of list) {
      const wide = Math.min(r.right, other.r.right) - Math.max(r.left, other.r.left)
      const high = Math.min(r.bottom, other.r.bottom) - Math.max(r.top, other.r.top)
      if (wide > 1.5 && high > 1.5) bad.push(`overlap: ${name(other.e)} and ${name(e)} ${short(e.textContent || e.placeholder || '')}`)
    }
    list.push({ e, r })
    sides.set(e.parentElement, list)
  }

  // What a field says while it is empty, and what a choice shows.
  const pen = document.createElement('canvas').getContext('2d')
  for (const e of document.querySelectorAll('input[placeholder], select')) {
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.value && e.tagName === 'INPUT') continue
    if (modal && !modal.contains(e)) continue
    const s = style(e)
    const text = e.tagName === 'SELECT' ? (e.selectedOptions[0]?.text ?? '') : e.placeholder
    pen.font = `${s.fontWeight} ${s.fontSize} ${s.fontFamily}`
    const room = e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight) - (e.tagName === 'SELECT' ? 16 : 0)
    if (s.textOverflow !== 'ellipsis' && pen.measureText(text).width > room + 1) bad.push(`cut off in ${name(e)}: ${short(text)} ${Math.round(pen.measureText(text).width - room)} px`)
  }
  return [...new Set(bad)].slice(0, 12)
}
