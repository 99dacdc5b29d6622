/**
 * The OpenAPI document as bytes. It names the server as the reader reached it, which anybody may spell as they like;
 * so everything before that name is written and packed once, and a reader's own end is put behind it: no document is
 * built and nothing large is compressed per request.
 */
import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'

export interface ServedDocument {
  plain(serverUrl: string): Buffer
  /** The same bytes as one gzip stream. */
  gzipped(serverUrl: string): Buffer
  /** Without quotes; of the document and the address. */
  version(serverUrl: string): string
}

/** RFC 1952: deflate, no name, no time, any system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])

/** Readers who name the server alike share one copy; so many bytes of copies are kept, of the names that were asked for last. */
const keptBytesMax = 16_777_216

export function serveDocument(document: object): ServedDocument {
  const { servers: _own, ...rest } = { ...document } as Record<string, unknown>
  const head = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"servers":`)
  // A full flush ends on a byte's edge and forgets the window, so that another deflate stream may follow.
  const packedHead = deflateRawSync(head, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const headCrc = crc32(head)
  const digest = createHash('sha256').update(head)
  const endOf = (serverUrl: string) => Buffer.from(`${JSON.stringify([{ url: serverUrl }])}}`)
  const gzippedFor = (serverUrl: string): Buffer => {
    const end = endOf(serverUrl)
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(end, headCrc), 0)
    trailer.writeUInt32LE((head.length + end.length) % 2 ** 32, 4)
    return Buffer.concat([gzipHeader, packedHead, ...storedBlocks(end), trailer])
  }
  const kept = new LRUCache<string, Buffer>({ maxSize: keptBytesMax, sizeCalculation: ({ length }) => length })
  const keep = (name: string, make: () => Buffer): Buffer => {
    const known = kept.get(name) ?? make()
    kept.set(name, known)
    return known
  }
  return {
    plain: (serverUrl) => keep(`plain ${serverUrl}`, () => Buffer.concat([head, endOf(serverUrl)])),
    gzipped: (serverUrl) => keep(`gzip ${serverUrl}`, () => gzippedFor(serverUrl)),
    version: (serverUrl) => digest.copy().update(serverUrl).digest('hex').slice(0, 16),
  }
}

const blockBytesMax = 65_535

/** RFC 1951, 3.2.4: as it is. A compressor for some dozen bytes would cost more than all the rest of the answer. */
function storedBlocks(content: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let from = 0; from < content.length; from += blockBytesMax) {
    const part = content.subarray(from, from + blockBytesMax)
    const opening = Buffer.alloc(5)
    opening[0] = from + blockBytesMax >= content.length ? 1 : 0
    opening.writeUInt16LE(part.length, 1)
    opening.writeUInt16LE(~part.length & 0xffff, 3)
    blocks.push(opening, part)
  }
  return blocks
}
