/**
 * The shared strings of a workbook, stored as one run of UTF-8 bytes with offsets, so that a large table stays small.
 */
import { stringTableBounds } from '../../../../config/input-bounds.ts'

const { bytesMax, stringsMax } = stringTableBounds

export class StringTable {
  #bytes = Buffer.alloc(1 << 20)
  #used = 0
  readonly #ends: number[] = []

  add(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.#used + size > bytesMax || this.#ends.length >= stringsMax) {
      throw new Error(
        `its table of strings is larger than ${bytesMax} bytes or ${stringsMax} strings; save the sheet as CSV`,
      )
    }
    if (this.#used + size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.min(bytesMax, Math.max(2 * this.#bytes.length, this.#used + size)))
      this.#bytes.copy(grown, 0, 0, this.#used)
      this.#bytes = grown
    }
    this.#used += this.#bytes.write(text, this.#used)
    this.#ends.push(this.#used)
  }

  at(index: number): string | undefined {
    const end = this.#ends[index]
    return end === undefined ? undefined : this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], end)
  }
}
