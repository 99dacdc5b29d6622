/**
 * Reads an open file of any format as a stream of plain CSV bytes, with the sha256 of the file as published. Reading it
 * again gives the same bytes or an error, never a part of them. Formats that need a parser are read in the isolated
 * parser (../isolated/); this is what runs inside.
 */
import { createHash } from 'node:crypto'
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { AppError } from '../../../errors.ts'
import { Findings } from '../findings.ts'
import { jsonCsv, startsLikeJson } from '../json-lines.ts'
import { firstBytes, type HeldFile, hashFile, type LocalFile, openLocal, piecesOf } from '../local-file.ts'
import { withCommas } from '../separators.ts'
import { startingWith } from '../starting-with.ts'
import { asUtf8, utf16Of } from '../utf16.ts'
import type { WorkbookShape } from '../xlsx/choose-sheets.ts'
import { archiveCsv } from './archive-csv.ts'
import { gunzip } from './gunzip.ts'
import { noArchive, withinBounds } from './unpacked-bounds.ts'
import { type Archive, openArchive } from './zip.ts'

export interface OpenInput {
  /** As the operator named it. */
  readonly name: string
  readonly bytesTotal: number
  readonly bytes: AsyncIterable<Buffer>
  bytesRead(): number
  /** Findings besides the rows; complete once `bytes` has ended. */
  readonly findings: Findings
  /** Of the file as published, compressed or not; known once `bytes` has ended. */
  sha256(): string
}

/**
 * An input that holds its file open until all of its bytes were read or, if they are never read, until it is closed.
 */
export interface OpenedInput extends OpenInput {
  close(): Promise<void>
}

/** What a source declares about the form of its files. */
export type FileShape = WorkbookShape

export interface ReadOptions {
  readonly shape: FileShape
  readonly bounds: FetchBounds
  /** Called while a file is read completely before its first row arrives. */
  readonly onProgress?: () => void
}

/** The same for a file that is not open yet; it is closed after its last byte. */
export async function openFile(file: LocalFile, shape: FileShape, bounds: FetchBounds): Promise<OpenedInput> {
  const handle = await openLocal(file)
  try {
    const input = await readFile({ ...file, fd: handle.fd }, { shape, bounds })
    const close = () => handle.close()
    return { ...input, bytes: closedAfter(input.bytes, close), close }
  } catch (error) {
    await handle.close()
    throw error
  }
}

export async function* closedAfter(bytes: AsyncIterable<Buffer>, close: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } finally {
    await close()
  }
}

export async function readFile(file: HeldFile, { shape, bounds, onProgress }: ReadOptions): Promise<OpenInput> {
  const magic = await firstBytes(file, 4)
  const findings = new Findings()
  if (magic.equals(oldWorkbook)) {
    throw new AppError(
      'SOURCE_CORRUPT',
      `${file.name}: this is an old (.xls) or a protected workbook; save it as .xlsx without password, or as CSV.`,
    )
  }
  if (isZip(magic)) {
    const sha256 = await hashFile(file, onProgress)
    let bytesRead = 0
    const archive = await openArchive(file, file.name, bounds)
    const plain = withinBounds(file.name, file.size, unpacked(file, archive, shape, findings), bounds)
    const bytes = counted(plain, (count) => {
      bytesRead = Math.min(file.size, bytesRead + count)
    })
    return { name: file.name, bytesTotal: file.size, bytes, bytesRead: () => bytesRead, findings, sha256: () => sha256 }
  }
  const hash = createHash('sha256')
  let bytesRead = 0
  const raw = counted(piecesOf(file), (count, chunk) => {
    bytesRead += count
    hash.update(chunk)
  })
  return {
    name: file.name,
    bytesTotal: file.size,
    bytes: asCsv(
      file,
      isGzip(magic) ? noArchive(file.name, withinBounds(file.name, file.size, gunzip(file, raw), bounds)) : raw,
      findings,
    ),
    bytesRead: () => bytesRead,
    findings,
    sha256: () => hash.digest('hex'),
  }
}

const oldWorkbook = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const isZip = (magic: Buffer): boolean => magic.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
export const isGzip = (magic: Buffer): boolean => magic[0] === 0x1f && magic[1] === 0x8b

/** Plain CSV is split into records by our own scanner; all other formats are decompressed or parsed first. */
export const isPlainCsv = (start: Buffer): boolean =>
  !isZip(start) &&
  !isGzip(start) &&
  !start.subarray(0, 4).equals(oldWorkbook) &&
  utf16Of(start) === undefined &&
  !startsLikeJson(start)

/** JSON is distinguished from CSV by its first characters, not by the file's name. */
async function* asCsv(file: HeldFile, plain: AsyncIterable<Buffer>, findings: Findings): AsyncGenerator<Buffer> {
  const chunks = asUtf8(plain)[Symbol.asyncIterator]()
  const first: IteratorResult<Buffer, unknown> = await chunks.next()
  if (first.done === true) return
  const all = startingWith(first.value, chunks)
  yield* startsLikeJson(first.value) ? jsonCsv(all, file.name, findings) : withCommas(all)
}

async function* unpacked(
  file: HeldFile,
  archive: Archive,
  shape: FileShape,
  findings: Findings,
): AsyncGenerator<Buffer> {
  try {
    yield* asCsv(file, archiveCsv(archive, file.name, shape, findings), findings)
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
