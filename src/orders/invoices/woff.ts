/**
 * Converts a WOFF font, whose tables are deflated one by one, into a plain font. fontkit would otherwise inflate a
 * whole table for each letter.
 */
import { inflateSync } from 'node:zlib'

const headBytes = { woff: 44, plain: 12 }
const entryBytes = { woff: 20, plain: 16 }

/** @see https://www.w3.org/TR/WOFF/ */
export function plainFont(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(headBytes.plain + count * entryBytes.plain)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const log = Math.floor(Math.log2(count))
  head.writeUInt16BE(16 * 2 ** log, 6)
  head.writeUInt16BE(log, 8)
  head.writeUInt16BE(16 * count - 16 * 2 ** log, 10)
  const parts = [head]
  let offset = head.length
  for (let table = 0; table < count; table++) {
    const from = headBytes.woff + table * entryBytes.woff
    const [at, packed, size] = [woff.readUInt32BE(from + 4), woff.readUInt32BE(from + 8), woff.readUInt32BE(from + 12)]
    const bytes = woff.subarray(at, at + packed)
    const plain = packed < size ? inflateSync(bytes) : bytes
    const to = headBytes.plain + table * entryBytes.plain
    woff.copy(head, to, from, from + 4)
    woff.copy(head, to + 4, from + 16, from + 20)
    head.writeUInt32BE(offset, to + 8)
    head.writeUInt32BE(size, to + 12)
    // Tables are aligned to four bytes.
    const filled = Buffer.concat([plain], Math.ceil(size / 4) * 4)
    parts.push(filled)
    offset += filled.length
  }
  return Buffer.concat(parts)
}
