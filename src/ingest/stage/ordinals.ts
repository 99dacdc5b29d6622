/** A set of record numbers, one bit each, since a file may have tens of millions. */
export class Ordinals {
  readonly #bits: Uint8Array

  constructor(last: number) {
    this.#bits = new Uint8Array((last >> 3) + 1)
  }

  add(ordinal: number): void {
    this.#bits[ordinal >> 3] = (this.#bits[ordinal >> 3] ?? 0) | (1 << (ordinal & 7))
  }

  has(ordinal: number): boolean {
    return (((this.#bits[ordinal >> 3] ?? 0) >> (ordinal & 7)) & 1) === 1
  }
}

export const allOrdinals = { has: () => true }
