/**
 * Decompresses a gzip file. Consecutive members are one file, zeros after the last are padding, and anything else after
 * it is rejected, as is a truncated file or a wrong checksum.
 */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../../domain/fault-code.ts'
import { AppError } from '../../../errors.ts'
import { type HeldFile, piecesOf } from '../local-file.ts'

const chunkBytes = 256 << 10

/** @param raw the bytes of `file`. */
export async function* gunzip(file: HeldFile, raw: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain = createGunzip({ chunkSize: chunkBytes })
  // pipeline() passes a read error to `plain`, where the loop below throws it.
  pipeline(Readable.from(raw, { objectMode: true }), plain, () => {})
  try {
    for await (const chunk of plain) yield chunk as Buffer
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = reasons[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause))
    throw broken(file, reason, cause)
  }
  // Zeros end the decompression, so what follows them has not been checked yet.
  for await (const chunk of piecesOf(file, plain.bytesWritten)) {
    if (chunk.some((byte) => byte !== 0)) throw broken(file, 'something follows the end of its data')
  }
}

const reasons: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'it is cut off',
  Z_DATA_ERROR: 'a checksum does not agree, or something follows the end of its data',
}

function broken(file: HeldFile, reason: string, cause?: unknown): AppError {
  return new AppError(
    'SOURCE_CORRUPT',
    `${file.name}: the gzip data is broken or cut off: ${reason}. Nothing was applied; fetch the file again.`,
    { cause },
  )
}
