/**
 * A local file of any format in, a stream of plain CSV bytes and the sha256 of the file as published out. Opening the
 * same file again gives the same bytes or an error, never a part of them.
 */
import { createHash } from 'node:crypto'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import type { Source } from '../../../config/sources/source.ts'
import { AppError } from '../../errors.ts'
import { Findings } from './findings.ts'
import { jsonLinesCsv, startsWithObject } from './json-lines.ts'
import { firstBytes, hashFile, type LocalFile, streamOf } from './local-file.ts'
import { archiveCsv } from './unpack/archive-csv.ts'
import { gunzip } from './unpack/gunzip.ts'
import { noArchive, withinBounds } from './unpack/unpacked-bounds.ts'
import { type Archive, openArchive } from './unpack/zip.ts'

const chunkBytes = 256 << 10

export interface OpenInput {
  /** As the operator named it. */
  readonly name: string
  readonly bytesTotal: number
  readonly bytes: AsyncIterable<Buffer>
  bytesRead(): number
  /** What is known beside the rows; whole once `bytes` has ended. */
  readonly findings: Findings
  /** Of the file as published, compressed or not; known once `bytes` has ended. */
  sha256(): string
}

/** What a source declares about the shape of its files. */
export type FileShape = Pick<Source, 'sheets'>

export async function openFile(file: LocalFile, shape: FileShape, bounds: FetchBounds): Promise<OpenInput> {
  const magic = await firstBytes(file)
  const isZip = magic.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b
  const findings = new Findings()
  if (magic.equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))) {
    throw new AppError(
      'SOURCE_CORRUPT',
      `${file.name}: this is an old (.xls) or a protected workbook; save it as .xlsx without password, or as CSV.`,
    )
  }
  if (isZip) {
    const sha256 = await hashFile(file)
    let bytesRead = 0
    const archive = await openArchive(file.path, file.name, bounds)
    const plain = withinBounds(file.name, file.size, unpacked(file, archive, shape, findings), bounds)
    const bytes = counted(plain, (count) => {
      bytesRead = Math.min(file.size, bytesRead + count)
    })
    return { name: file.name, bytesTotal: file.size, bytes, bytesRead: () => bytesRead, findings, sha256: () => sha256 }
  }
  const hash = createHash('sha256')
  let bytesRead = 0
  const source = await streamOf(file.path, chunkBytes)
  const raw = counted(source as AsyncIterable<Buffer>, (count, chunk) => {
    bytesRead += count
    hash.update(chunk)
  })
  return {
    name: file.name,
    bytesTotal: file.size,
    bytes: asCsv(
      file,
      isGzip ? noArchive(file.name, withinBounds(file.name, file.size, gunzip(file, raw), bounds)) : raw,
      findings,
    ),
    bytesRead: () => bytesRead,
    findings,
    sha256: () => hash.digest('hex'),
  }
}

/** JSON Lines are told from CSV by their first character, not by the file's name. */
async function* asCsv(file: LocalFile, plain: AsyncIterable<Buffer>, findings: Findings): AsyncGenerator<Buffer> {
  const chunks = plain[Symbol.asyncIterator]()
  const first: IteratorResult<Buffer, unknown> = await chunks.next()
  if (first.done === true) return
  const all = startingWith(first.value, chunks)
  yield* startsWithObject(first.value) ? jsonLinesCsv(all, file.name, findings) : all
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await rest.next()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // A run that stops early closes the file behind it.
    await rest.return?.()
  }
}

async function* unpacked(
  file: LocalFile,
  archive: Archive,
  shape: FileShape,
  findings: Findings,
): AsyncGenerator<Buffer> {
  try {
    yield* asCsv(file, archiveCsv(archive, file.name, shape.sheets ?? [], findings), findings)
  } finally {
    archive.close()
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  note: (count: number, chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    note(chunk.length, chunk)
    yield chunk
  }
}
