/**
 * Pseudo-random draws that are a pure function of (seed, label, index): sfc32, reseeded per record. A record can
 * therefore be computed again anywhere, which lets one file refer to another without keeping either in memory.
 */

/** Four words of state, derived once per label. */
export type StreamKey = readonly [number, number, number, number]

/** Hashes text to 128 bits with four multiply-xorshift lanes; not for security. */
export function streamKey(seed: string | number, label: string): StreamKey {
  const text = `${seed}\u0000${label}`
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 597399067)
    b = Math.imul(b ^ code, 2869860233)
    c = Math.imul(c ^ code, 951274213)
    d = Math.imul(d ^ code, 2716044179)
    a ^= b >>> 18
    c ^= d >>> 22
  }
  return [a ^ (b >>> 15), b ^ (c >>> 13), c ^ (d >>> 16), d ^ (a >>> 14)]
}

export class Random {
  #a = 0
  #b = 0
  #c = 0
  #counter = 0

  /** Starts the stream of one record. @returns itself. */
  reseed(key: StreamKey, index: number): this {
    this.#a = key[0] ^ Math.imul(index + 1, 0x9e3779b1)
    this.#b = key[1] ^ index
    this.#c = key[2] ^ Math.imul(index ^ (index >>> 15), 0x85ebca6b)
    this.#counter = key[3]
    // sfc32 needs some rounds until neighbouring seeds have drifted apart.
    for (let round = 0; round < 10; round++) this.next()
    return this
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** A number from 0 up to, not including, 1. */
  unit(): number {
    return this.next() / 4294967296
  }

  /** A whole number from 0 to limit - 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 4294967296) * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability * 4294967296
  }

  pick<T>(values: readonly T[]): T {
    return at(values, this.below(values.length))
  }
}

/** An element that is known to be there. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`no element ${index} among ${values.length}`)
  return value
}

/** Values drawn at given weights; put the heaviest first, the search is linear. */
export class Weighted<T> {
  readonly #values: readonly T[]
  readonly #bounds: readonly number[]

  constructor(entries: readonly (readonly [value: T, weight: number])[]) {
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
    let reached = 0
    this.#values = entries.map(([value]) => value)
    this.#bounds = entries.map(([, weight]) => {
      reached += weight
      return (reached / total) * 4294967296
    })
  }

  pick(random: Random): T {
    const draw = random.next()
    let index = 0
    while (index < this.#bounds.length - 1 && draw >= at(this.#bounds, index)) index++
    return at(this.#values, index)
  }
}
