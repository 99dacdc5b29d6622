/** Pseudo-random choices that repeat for the same seed, so that a sequence can be replayed. */

export interface Draw {
  /** From 0, below `bound`. */
  below(bound: number): number
  /** One of them; undefined for an empty list. */
  of<T>(list: readonly T[]): T | undefined
  /** True once in so many times, on average. */
  oneIn(many: number): boolean
}

export function drawOf(seed: number): Draw {
  let state = seed >>> 0
  const next = (): number => {
    // Mulberry's step: 32 bits of state suffice for some thousand steps.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { below, of: (list) => list[below(list.length)], oneIn: (many) => below(many) === 0 }
}
