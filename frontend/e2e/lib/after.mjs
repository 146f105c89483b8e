const stacks = new WeakMap()

/** Runs f after a test; what was asked for last comes first, and all of it runs. */
export function after(t, f) {
  let stack = stacks.get(t)
  if (!stack) {
    stacks.set(t, (stack = []))
    t.after(async () => {
      const bad = []
      for (const each of stack.reverse()) {
        try {
          await each()
        } catch (reason) {
          bad.push(reason)
        }
      }
      if (bad.length > 0) throw bad[0]
    })
  }
  stack.push(f)
}
