// Makes window.go and window.runtime as the real window does: a bound method
// returns a promise, a rejection is an Error with the text, and an event calls
// its listeners with its data, in order.
;(() => {
  const names = [/* names */]

  async function call(name, args) {
    const answer = await fetch('/bridge/call', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, args }),
    })
    if (!answer.ok) throw new Error((await answer.text()).trim())
    const { result, error } = await answer.json()
    if (error) throw new Error(error)
    return result
  }

  window.go = {}
  for (const name of names) {
    const [pack, part, method] = name.split('.')
    const parts = (window.go[pack] ??= {})
    ;(parts[part] ??= {})[method] = (...args) => call(name, args)
  }

  const listeners = new Map() // name → [{ hear, left }]

  function on(name, hear, left) {
    const entry = { hear, left }
    listeners.set(name, [...(listeners.get(name) ?? []), entry])
    return () => listeners.set(name, (listeners.get(name) ?? []).filter((l) => l !== entry))
  }

  function notify(name, data) {
    for (const entry of listeners.get(name) ?? []) {
      if (entry.left > 0 && --entry.left === 0) {
        listeners.set(name, listeners.get(name).filter((l) => l !== entry))
      }
      entry.hear(...data)
    }
  }

  window.runtime = {
    EventsOn: (name, hear) => on(name, hear, -1),
    EventsOnce: (name, hear) => on(name, hear, 1),
    EventsOnMultiple: (name, hear, times) => on(name, hear, times),
    EventsOff: (...gone) => gone.forEach((name) => listeners.delete(name)),
    EventsOffAll: () => listeners.clear(),
    EventsEmit: (name, ...data) => notify(name, data),
  }

  const stream = new EventSource('/bridge/events')
  stream.onmessage = (message) => {
    const { name, data } = JSON.parse(message.data)
    notify(name, data)
  }
})()
