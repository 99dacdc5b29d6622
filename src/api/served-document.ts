/** The OpenAPI document as bytes, serialized and compressed once: nothing is built or compressed per request. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

export interface ServedDocument {
  readonly plain: Buffer
  readonly gzipped: Buffer
  /** Digest of the content, without quotes. */
  readonly version: string
}

export function serveDocument(document: object, serverUrl: string): ServedDocument {
  const plain = Buffer.from(JSON.stringify({ ...document, servers: [{ url: serverUrl }] }))
  return {
    plain,
    gzipped: gzipSync(plain, { level: 9 }),
    version: createHash('sha256').update(plain).digest('hex').slice(0, 16),
  }
}
