/**
 * The OpenAPI document as bytes. It names the server as the reader reached it, which anybody may spell as they like;
 * so everything before that name is written and packed once, and a reader's own end is put behind it: no document is
 * built and nothing large is compressed per request.
 */
import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface ServedDocument {
  plain(serverUrl: string): Buffer
  /** The same bytes as one gzip stream. */
  gzipped(serverUrl: string): Buffer
  /** Without quotes; of the document and the address. */
  version(serverUrl: string): string
}

/** RFC 1952: deflate, no name, no time, any system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])

export function serveDocument(document: object): ServedDocument {
  const { servers: _own, ...rest } = { ...document } as Record<string, unknown>
  const head = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"servers":`)
  // A full flush ends on a byte's edge and forgets the window, so that another deflate stream may follow.
  const packedHead = deflateRawSync(head, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const headCrc = crc32(head)
  const digest = createHash('sha256').update(head)
  const endOf = (serverUrl: string) => Buffer.from(`${JSON.stringify([{ url: serverUrl }])}}`)
  return {
    plain: (serverUrl) => Buffer.concat([head, endOf(serverUrl)]),
    gzipped(serverUrl) {
      const end = endOf(serverUrl)
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(end, headCrc), 0)
      trailer.writeUInt32LE((head.length + end.length) % 2 ** 32, 4)
      return Buffer.concat([gzipHeader, packedHead, deflateRawSync(end), trailer])
    },
    version: (serverUrl) => digest.copy().update(serverUrl).digest('hex').slice(0, 16),
  }
}
