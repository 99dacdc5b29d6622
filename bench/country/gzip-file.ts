/** Writes a gzipped file: writers wait while the compression is behind; it runs in a thread of its own. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

export interface GzipFile {
  write(text: string): Promise<void>
  /** Gives the file its name. */
  close(): Promise<{ readonly csvBytes: number; readonly gzipBytes: number }>
}

export function openGzip(path: string): GzipFile {
  const packer = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 1 << 18 })
  const file = createWriteStream(`${path}.partial`)
  const packed = pipeline(packer, file)
  // The caller of `close` gets its failure.
  packed.catch(() => undefined)
  let csvBytes = 0
  return {
    async write(text) {
      const bytes = Buffer.from(text)
      csvBytes += bytes.length
      if (!packer.write(bytes)) await Promise.race([once(packer, 'drain'), packed])
    },
    async close() {
      packer.end()
      await packed
      await rename(`${path}.partial`, path)
      return { csvBytes, gzipBytes: file.bytesWritten }
    },
  }
}
