/**
 * Reads a zip file as one CSV: its members, each a CSV or a workbook, in the order of their names as if they were one
 * file. All must have the same header; line numbers continue from member to member.
 */
import { recordBytesMax, titleRowsMax } from '../../../../config/input-bounds.ts'
import { quoted } from '../../../domain/visible.ts'
import { AppError } from '../../../errors.ts'
import { findMatch } from '../../header-match.ts'
import type { Findings } from '../findings.ts'
import { startsLikeJson } from '../json-lines.ts'
import { asUtf8 } from '../utf16.ts'
import type { WorkbookShape } from '../xlsx/choose-sheets.ts'
import { isWorkbook, workbookCsv } from '../xlsx/workbook.ts'
import { noArchive } from './unpacked-bounds.ts'
import { type Archive, openArchive } from './zip.ts'

export async function* archiveCsv(
  archive: Archive,
  label: string,
  shape: WorkbookShape,
  findings: Findings,
): AsyncGenerator<Buffer> {
  if (isWorkbook(archive)) {
    yield* workbookCsv(archive, label, shape, findings)
    return
  }
  const otherWorkbook = otherWorkbookIn(archive)
  if (otherWorkbook !== undefined) {
    throw new AppError(
      'SOURCE_CORRUPT',
      `${label}: this is ${otherWorkbook}, which is not read; save it as .xlsx, or as CSV.`,
    )
  }
  const names = archive.names.filter((name) => !isLitter(name)).toSorted(byName)
  if (names.length === 0) throw new AppError('SOURCE_CORRUPT', `${label}: the zip file holds no table.`)
  const header = new SharedHeader(label, shape)
  for (const name of names) {
    const whole = `${label} (${quoted(name)})`
    const bytes = /\.xlsx$/i.test(name)
      ? workbookMember(archive, name, whole, shape, findings)
      : asUtf8(noArchive(whole, archive.read(name)))
    yield* names.length === 1 ? bytes : header.without(bytes, name)
  }
}

/** Other kinds of workbooks are zip files, too. */
function otherWorkbookIn(archive: Archive): string | undefined {
  if (archive.has('xl/workbook.bin')) return 'a binary workbook (.xlsb)'
  const isOpenDocument = archive.has('content.xml') && archive.has('META-INF/manifest.xml')
  return isOpenDocument ? 'an OpenDocument file (.ods)' : undefined
}

/**
 * Names of tables, compressed or not, come before others, so that the error about an unrelated file names that file.
 */
const byName = (one: string, other: string): number =>
  Number(isTableName(other)) - Number(isTableName(one)) || (one < other ? -1 : Number(one > other))
const isTableName = (name: string): boolean => /\.(?:csv|xlsx|json|jsonl|ndjson|gz|zip)$/i.test(name)

/** Files that desktops create, those of a spreadsheet that has a file open, and what publishers write about a table. */
const isLitter = (name: string): boolean =>
  /^__MACOSX\/|(?:^|\/)(?:\.[^/]*|~\$[^/]*|Thumbs\.db|desktop\.ini|(?:read[ _-]?me|licen[cs]e)(?:\.(?:txt|md|pdf|html?|rtf|docx?))?)$/i.test(
    name,
  )

async function* workbookMember(
  archive: Archive,
  name: string,
  label: string,
  shape: WorkbookShape,
  findings: Findings,
): AsyncGenerator<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  const { innerWorkbookBytesMax } = archive.bounds
  for await (const chunk of archive.read(name)) {
    size += chunk.length
    if (size > innerWorkbookBytesMax) {
      throw new AppError(
        'SOURCE_CORRUPT',
        `${label}: a workbook inside a zip may have ${innerWorkbookBytesMax} bytes (innerWorkbookBytesMax in ` +
          'config/input-bounds.ts). Unpack the zip and ingest the workbook.',
      )
    }
    parts.push(chunk)
  }
  const inner = await openArchive(Buffer.concat(parts), label, archive.bounds)
  yield* workbookCsv(inner, label, shape, findings)
}

/** Passes on the first member's header and removes it from the others, keeping their line numbers. */
class SharedHeader {
  readonly #label: string
  readonly #shape: WorkbookShape
  #first: { readonly name: string; readonly header: string } | undefined

  constructor(label: string, shape: WorkbookShape) {
    this.#label = label
    this.#shape = shape
  }

  async *without(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
    let head: Buffer | undefined = Buffer.alloc(0)
    let endsLine = true
    const note = (chunk: Buffer): Buffer => {
      if (chunk.length > 0) endsLine = chunk.at(-1) === 10
      return chunk
    }
    for await (const chunk of chunks) {
      if (head === undefined) {
        yield note(chunk)
        continue
      }
      head = Buffer.concat([head, chunk])
      const found = findHeader(head, this.#shape, false)
      if (!found && head.length <= recordBytesMax) continue
      yield note(this.#checked(head, found, name))
      head = undefined
    }
    // A file without content, as programs sometimes add to the parts of a table, has no header to compare.
    if (head !== undefined && head.toString('utf8').trim() !== '') {
      yield note(this.#checked(head, findHeader(head, this.#shape, true), name))
    }
    if (!endsLine) yield Buffer.from('\n')
  }

  #checked(head: Buffer, found: Place | undefined, name: string): Buffer {
    const stop = found?.end ?? head.length
    const bare = found ? head.subarray(found.start, stop) : head.subarray(hasMark(head) ? 3 : 0)
    // JSON has no header to remove.
    const header = startsLikeJson(head) ? '' : bare.toString('utf8').trim()
    if (this.#first === undefined) {
      this.#first = { name, header }
      return head
    }
    if (header !== this.#first.header) {
      throw new AppError(
        'HEADER_MISMATCH',
        `${this.#label}: ${quoted(name)} has another header than ${quoted(this.#first.name)}; take out what is no table, and ingest different tables one by one.`,
      )
    }
    if (header === '') return head.subarray(hasMark(head) ? 3 : 0)
    const lines =
      head
        .subarray(0, stop)
        .toString('latin1')
        .match(/\r\n|\n|\r/g)?.length ?? 1
    return Buffer.concat([Buffer.from('\n'.repeat(lines)), head.subarray(stop)])
  }
}

const hasMark = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * The position of the header, below titles and notes, or else the first non-blank record.
 * @returns undefined while it is incomplete.
 */
function findHeader(bytes: Buffer, { generations = [] }: WorkbookShape, isAll: boolean): Place | undefined {
  const text = bytes.toString('latin1')
  const record = /(?:\xef\xbb\xbf)?\s*(?=\S)((?:"[^"]*"|[^"\r\n])+)(?:\r\n|\n|\r(?=[^\n]))/y
  let first: Place | undefined
  for (let rows = 0; rows < titleRowsMax; rows++) {
    const begin = record.lastIndex
    const found = record.exec(text)
    if (!found) return isAll ? first : undefined
    const place = { start: begin + found[0].indexOf(found[1] ?? ''), end: record.lastIndex }
    if (findMatch({ generations }, (found[1] ?? '').split(/[,;\t|]/))) return place
    first ??= place
  }
  return first
}
