/**
 * Fetch: a path, `file:` or `http(s):` address in, a stream of plain CSV bytes and the sha256 of the file as
 * published out. Opening the same input again gives the same bytes or an error, never a part of them.
 */
import { createHash } from 'node:crypto'
import { constants, type ReadStream, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import type { Registry } from '../../../config/sources/source.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { Findings } from './findings.ts'
import { jsonLinesCsv, startsWithObject } from './json-lines.ts'
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

export interface LocalFile {
  readonly name: string
  readonly path: string
  readonly size: number
}

/**
 * The last part of a path is never followed where it is a link: whoever asked for the run by hand had his own links
 * resolved then. A fifo is not waited for.
 */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * @param unwatched for a path that nobody looks at while it is read again and again: its folders may be no links either.
 * @throws AppError SOURCE_UNREADABLE for a missing, empty, unreadable or too large file, and for a link.
 */
export async function locateFile(input: string, bytesMax: number, unwatched = false): Promise<LocalFile> {
  const path = input.startsWith('file:') ? fileURLToPath(input) : resolve(input)
  const name = visible(input)
  const cannot = (cause: unknown): AppError =>
    codeOf(cause) === 'ELOOP'
      ? isLink(name)
      : new AppError('SOURCE_UNREADABLE', `${name}: the file cannot be opened (${codeOf(cause)}).`, { cause })
  try {
    const handle = await open(path, openFlags)
    try {
      const found = await handle.stat()
      if (unwatched && (await realpath(path)) !== path) throw isLink(name)
      refuseUnfit(name, found, bytesMax)
      return { name, path, size: found.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannot(cause)
  }
}

function isLink(name: string): AppError {
  return new AppError(
    'SOURCE_UNREADABLE',
    `${name}: this is, or lies behind, a symbolic link, and links are not followed; name the real path.`,
  )
}

function refuseUnfit(name: string, found: Stats, bytesMax: number): void {
  if (!found.isFile()) throw new AppError('SOURCE_UNREADABLE', `${name}: this is not a file.`)
  if (found.size === 0) {
    throw new AppError('SOURCE_UNREADABLE', `${name}: the file is empty; expected a CSV header on line 1.`)
  }
  if (found.size > bytesMax) {
    throw new AppError(
      'SOURCE_UNREADABLE',
      `${name}: the file has ${found.size} bytes; at most ${bytesMax} (PANJI_INPUT_BYTES_MAX) are taken. ` +
        'Ingest it in parts, or raise the bound.',
    )
  }
}

/** The handle closes with the stream. */
async function streamOf(path: string, highWaterMark: number): Promise<ReadStream> {
  const handle: FileHandle = await open(path, openFlags)
  return handle.createReadStream({ highWaterMark })
}

export async function hashFile(file: LocalFile): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await streamOf(file.path, 1 << 20)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What a source declares about the shape of its files. */
export type FileShape = Pick<Registry, 'sheets'>

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

async function firstBytes(file: LocalFile): Promise<Buffer> {
  const handle = await open(file.path, openFlags)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
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

function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : String(cause)
}
