/** Limits the output of decompression: stops decompression bombs, and archives inside archives, before they do harm. */
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { AppError } from '../../../errors.ts'

/** @throws AppError SOURCE_CORRUPT beyond the limits of size and ratio. */
export async function* withinBounds(
  label: string,
  packedBytes: number,
  unpacked: AsyncIterable<Buffer>,
  bounds: FetchBounds,
): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of unpacked) {
    total += chunk.length
    refuseBomb(label, packedBytes, total, bounds)
    yield chunk
  }
}

/** @throws AppError SOURCE_CORRUPT naming the limit and what to do. */
export function refuseBomb(label: string, packedBytes: number, unpackedBytes: number, bounds: FetchBounds): void {
  const { inflationMax, inflationFreeBytes, unpackedBytesMax } = bounds
  if (unpackedBytes > unpackedBytesMax) {
    throw new AppError(
      'SOURCE_CORRUPT',
      `${label}: it unpacks to more than ${unpackedBytesMax} bytes (PANJI_UNPACKED_BYTES_MAX); refused. ` +
        'Ingest it in parts, or raise the bound.',
    )
  }
  if (unpackedBytes > inflationFreeBytes && unpackedBytes > packedBytes * inflationMax) {
    throw new AppError(
      'SOURCE_CORRUPT',
      `${label}: it unpacks to more than ${inflationMax} times its size, ${packedBytes} bytes; refused. ` +
        'If it is genuine, unpack it and ingest what it holds.',
    )
  }
}

const archives: readonly (readonly [string, Buffer])[] = [
  ['a zip file', Buffer.from('PK\x03\x04', 'latin1')],
  ['a gzip file', Buffer.from([0x1f, 0x8b])],
]

/** @throws AppError SOURCE_CORRUPT if the bytes begin like another archive. */
export async function* noArchive(label: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < 4) continue
    refuseArchive(label, head)
    yield head
    head = undefined
  }
  if (head !== undefined && head.length > 0) {
    refuseArchive(label, head)
    yield head
  }
}

function refuseArchive(label: string, head: Buffer): void {
  const found = archives.find(([, magic]) => head.subarray(0, magic.length).equals(magic))
  if (!found) return
  throw new AppError(
    'SOURCE_CORRUPT',
    `${label}: ${found[0]} lies inside the archive; archives within archives are not unpacked. Unpack it once.`,
  )
}
