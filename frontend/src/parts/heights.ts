// The heights of the rows of a list, known or guessed: sums and look-ups by place
// in logarithmic time (a Fenwick tree), so that 10,000 rows cost no more than 10.

export class Heights {
  #own: number[] = []
  #tree: number[] = [0]

  get length(): number {
    return this.#own.length
  }

  get total(): number {
    return this.sum(this.#own.length)
  }

  /** Takes all heights anew. */
  reset(heights: number[]): void {
    this.#own = heights.slice()
    this.#tree = new Array<number>(heights.length + 1).fill(0)
    for (let i = 1; i <= heights.length; i++) {
      this.#tree[i]! += heights[i - 1]!
      const up = i + (i & -i)
      if (up <= heights.length) this.#tree[up]! += this.#tree[i]!
    }
  }

  /** Adds a row at the end. */
  push(height: number): void {
    const i = this.#own.push(height)
    const low = i & -i
    this.#tree[i] = this.sum(i - 1) - this.sum(i - low) + height
  }

  get(i: number): number {
    return this.#own[i] ?? 0
  }

  set(i: number, height: number): void {
    const by = height - this.get(i)
    if (i < 0 || i >= this.#own.length || by === 0) return
    this.#own[i] = height
    for (let j = i + 1; j < this.#tree.length; j += j & -j) this.#tree[j]! += by
  }

  /** The height of all rows before a place. */
  sum(i: number): number {
    let n = 0
    for (let j = Math.min(i, this.#own.length); j > 0; j -= j & -j) n += this.#tree[j]!
    return n
  }

  /** The row that is at a distance from the top; the last one for any beyond it. */
  at(distance: number): number {
    let i = 0
    let step = 1
    while (step * 2 < this.#tree.length) step *= 2
    for (; step > 0; step >>= 1) {
      const next = i + step
      if (next < this.#tree.length && this.#tree[next]! <= distance) {
        i = next
        distance -= this.#tree[next]!
      }
    }
    return Math.max(0, Math.min(i, this.#own.length - 1))
  }
}

/** A guess of a row's height, from what it holds. */
export function guess(kind: string, length: number): number {
  switch (kind) {
    case 'tool':
    case 'thought':
    case 'other':
      return 54
    case 'plan':
      return 140
    default:
      return 40 + Math.min(2000, Math.ceil(length / 90) * 21)
  }
}
