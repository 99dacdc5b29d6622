/**
 * Reads the header line of a snapshot. A header that does not match the source is rejected, listing the columns missing
 * from the nearest generation.
 */
import { columnsMax, recordBytesMax, titleRowsMax } from '../../../config/input-bounds.ts'
import { sources } from '../../../config/sources/index.ts'
import type { HeaderGeneration, Source } from '../../../config/sources/source.ts'
import { AppError } from '../../errors.ts'
import { decodeAndRepair, parseRecord, refuseTooWide } from '../csv.ts'
import { candidatesOf, findMatch, type HeaderMatch, knownNames } from '../header-match.ts'
import { foreignKind } from './foreign-kind.ts'
import { type Reading, readRecord } from './read-record.ts'
import type { LineEnd } from './scanner.ts'

export interface HeaderLine {
  readonly names: readonly string[]
  /** Line of the first record. */
  readonly nextLine: number
  readonly lineEnd: LineEnd
  /** What follows the header in the bytes read so far. */
  readonly rest: Buffer
}

/** Distinguishes the header from titles and notes above it. */
export type IsHeader = (names: readonly string[]) => boolean

/** Reads as many chunks as the header needs; the bytes after it are its `rest`. */
export async function readHeader(
  chunks: AsyncIterator<Buffer>,
  file: string,
  isHeader: IsHeader = () => true,
): Promise<HeaderLine> {
  let bytes = Buffer.alloc(0)
  for (;;) {
    const next: IteratorResult<Buffer, unknown> = await chunks.next()
    if (next.done !== true) bytes = Buffer.concat([bytes, next.value])
    if (next.done === true && bytes.length === 0) {
      throw new AppError('SOURCE_UNREADABLE', `${file}: the file is empty; expected a CSV header on line 1.`)
    }
    const header = readHeaderLine(bytes, next.done === true, file, isHeader)
    if (header) return header
    if (bytes.length > recordBytesMax) {
      throw new AppError(
        'SOURCE_CORRUPT',
        `${file}, line 1: the header does not end within ${recordBytesMax} bytes (recordBytesMax): it has no line end, or a quote that is never closed.`,
      )
    }
  }
}

/** @returns undefined while the header is incomplete; the first row if no row is a header. */
export function readHeaderLine(
  bytes: Buffer,
  last: boolean,
  file: string,
  isHeader: IsHeader = () => true,
): HeaderLine | undefined {
  const kind = foreignKind(bytes)
  if (kind !== undefined) throw corrupt(file, kind)
  let start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  let line = 1
  let first: HeaderLine | undefined
  const reading: Reading = { end: 0, stop: 0, columns: 0, lines: 0, wellFormed: true }
  for (let rows = 0; rows < titleRowsMax && (start < bytes.length || !first); ) {
    readRecord(reading, bytes, start, last)
    const { end, stop } = reading
    // Beyond the first row, no more bytes are awaited than a record may have.
    if (end < 0) return first && bytes.length > recordBytesMax ? first : undefined
    const text = bytes.subarray(start, stop)
    if (text.toString('latin1').trim() !== '') {
      const names = namesOf(text, file, first !== undefined)
      if (names === undefined) return first
      const lineEnd = end - stop === 2 ? '\r\n' : bytes[stop] === 13 ? '\r' : '\n'
      const header: HeaderLine = { names, nextLine: line + reading.lines, lineEnd, rest: bytes.subarray(end) }
      if (isHeader(names)) return header
      first ??= header
      rows++
    } else if (end >= bytes.length) {
      if (first) break
      throw corrupt(file, 'the file holds nothing but empty lines')
    }
    start = end
    line += reading.lines
  }
  return first && (last || start < bytes.length || bytes.length > recordBytesMax) ? first : undefined
}

/** @returns undefined for a row below the first that is not a header. */
function namesOf(text: Buffer, file: string, isBelow: boolean): string[] | undefined {
  if (text.includes(0)) {
    if (isBelow) return undefined
    throw corrupt(file, 'its first line holds NUL bytes: it is a binary file, not CSV')
  }
  // Checked before a million of them become values; names may contain commas, but not most of them.
  const commas = text.reduce((count, byte) => count + (byte === 44 ? 1 : 0), 0)
  if (commas > 10 * columnsMax) {
    if (isBelow) return undefined
    refuseTooWide(commas + 1, file)
  }
  const names = parseRecord(decodeAndRepair(text).text)
  if (Array.isArray(names)) return names
  if (isBelow) return undefined
  throw corrupt(file, `the header's quotes do not pair up`)
}

function corrupt(file: string, reason: string): AppError {
  return new AppError('SOURCE_CORRUPT', `${file}, line 1: expected a CSV header, but ${reason}.`)
}

/**
 * A file without any column of any generation is near to none of them; the error then describes the newest generation.
 */
const distance = ({ generation, missing }: ReturnType<typeof candidatesOf>[number]): number =>
  missing.length === generation.required.length ? Number.MAX_SAFE_INTEGER : missing.length

/**
 * Column names of the file appear only if the source knows them; the others are counted, since a file that was named or
 * dropped by mistake may begin with a secret.
 *
 * @throws AppError HEADER_MISMATCH naming the file, the line and the columns missing from the nearest generation.
 */
export function matchHeader(source: Source, names: readonly string[], file: string): HeaderMatch {
  refuseTooWide(names.length, file)
  const match = findMatch(source, names)
  if (match) return match
  const [nearest] = candidatesOf(source, names).toSorted((a, b) => distance(a) - distance(b))
  const label = (generation: HeaderGeneration, field: string) => generation.columns[field]?.[0] ?? field
  const missing = nearest ? nearest.missing.map((field) => label(nearest.generation, field)) : []
  const expected = nearest ? nearest.generation.required.map((field) => label(nearest.generation, field)) : []
  const other = sources.find((each) => each.name !== source.name && findMatch(each, names))
  throw new AppError(
    'HEADER_MISMATCH',
    `${file}, line 1: this is no header of ${source.name}${other ? `, but one of ${other.name}: import it there (npx panji ingest ${other.name} <file>)` : ''}. Missing: ${missing.join(', ')}. ` +
      `Expected (${nearest?.generation.name ?? ''}): ${expected.join(', ')}. ` +
      `It has ${names.length} ${names.length === 1 ? 'column' : 'columns'}. ` +
      `Unknown columns: ${names.length - knownNames(source, names).length}.${other ? '' : ' Columns with other names can be mapped: by lines COLUMN=field under that heading of the page, or by --map COLUMN=field.'}`,
    { extra: { missing, expected, ...(other && { source: other.name }) } },
  )
}
