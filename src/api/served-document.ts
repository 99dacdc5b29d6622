/** The OpenAPI document as bytes, written and packed once: nothing is built or compressed per request. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

export interface ServedDocument {
  readonly plain: Buffer
  readonly gzipped: Buffer
  /** Without quotes; of the content. */
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
