/**
 * Computes PostgreSQL's `hash_record_extended(ROW(cells), 0)` for text cells without sending them to a server. Each
 * cell is hashed by Bob Jenkins' lookup3 over little-endian words, as `hash_bytes_extended` does; on a server with
 * another byte order no row is recognized, and every row is checked.
 */
export class ContentHash {
  high = 0
  low = 0
  // The two halves of a cell's hash.
  #b = 0
  #c = 0

  begin(): void {
    this.high = 0
    this.low = 0
  }

  addNull(): void {
    this.#b = 0
    this.#c = 0
    this.#add()
  }

  addCell(bytes: Uint8Array, from: number, to: number): void {
    this.#hash(bytes, from, to)
    this.#add()
  }

  /** Everything so far times 31, plus the cell, in 64 bits. */
  #add(): void {
    const low = this.low * 31 + (this.#c >>> 0)
    this.high = (Math.imul(this.high, 31) + Math.floor(low / 4_294_967_296) + this.#b) >>> 0
    this.low = low >>> 0
  }

  #hash(bytes: Uint8Array, from: number, to: number): void {
    let a = (0x9e3779b9 + (to - from) + 3_923_095) | 0
    let b = a
    let c = a
    let at = from
    for (; at + 12 <= to; at += 12) {
      c = (c + word(bytes, at + 8)) | 0
      b = (b + word(bytes, at + 4)) | 0
      a = ((a + word(bytes, at) - c) | 0) ^ ((c << 4) | (c >>> 28))
      c = (c + b) | 0
      b = ((b - a) | 0) ^ ((a << 6) | (a >>> 26))
      a = (a + c) | 0
      c = ((c - b) | 0) ^ ((b << 8) | (b >>> 24))
      b = (b + a) | 0
      a = ((a - c) | 0) ^ ((c << 16) | (c >>> 16))
      c = (c + b) | 0
      b = ((b - a) | 0) ^ ((a << 19) | (a >>> 13))
      a = (a + c) | 0
      c = ((c - b) | 0) ^ ((b << 4) | (b >>> 28))
      b = (b + a) | 0
    }
    // The last byte of the last word would be the length, which is already part of the initial value.
    a = (a + part(bytes, at, to, 0)) | 0
    b = (b + part(bytes, at + 4, to, 0)) | 0
    c = (c + part(bytes, at + 8, to, 8)) | 0
    c = ((c ^ b) - ((b << 14) | (b >>> 18))) | 0
    a = ((a ^ c) - ((c << 11) | (c >>> 21))) | 0
    b = ((b ^ a) - ((a << 25) | (a >>> 7))) | 0
    c = ((c ^ b) - ((b << 16) | (b >>> 16))) | 0
    a = ((a ^ c) - ((c << 4) | (c >>> 28))) | 0
    b = ((b ^ a) - ((a << 14) | (a >>> 18))) | 0
    c = ((c ^ b) - ((b << 24) | (b >>> 8))) | 0
    this.#b = b
    this.#c = c
  }
}

const word = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24)

/** The value of a word that the text does not fill. */
function part(bytes: Uint8Array, at: number, to: number, shift: number): number {
  let value = 0
  for (let index = at, by = shift; index < to && by < 32; index++, by += 8) value |= (bytes[index] as number) << by
  return value
}
