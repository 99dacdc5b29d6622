/**
 * Converts JSON to CSV: each object of JSON Lines, or of a document's lists and responses, becomes one record, with
 * nested values under their path (`pradr.addr.stcd`) and lists joined with `;`. The header has the paths of the first
 * records; lines keep their numbers.
 */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { jsonRecordBounds, jsonSampleBounds, recordBytesMax } from '../../../config/input-bounds.ts'
import { AppError } from '../../errors.ts'
import { onOneLine } from '../cell-repairs.ts'
import { csvRecord, decodeAndRepair, refuseTooWide } from '../csv.ts'
import type { RejectCode } from '../run/reject-codes.ts'
import type { Findings } from './findings.ts'
import { holdsList, type JsonText, jsonDocuments, unwrapped } from './json-documents.ts'
import { startingWith } from './starting-with.ts'

const { pathCharactersMax, depthMax } = jsonRecordBounds
const batchCharacters = 64 << 10
const rawMax = 4000
const turnLines = 1000
const lineFeed = 10

type JsonRecord = ReadonlyMap<string, string>

/** True for bytes that begin with an object, or a list of lists or objects: no CSV header does. */
export function startsLikeJson(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*[[{])/.test(bytes.subarray(0, 1024).toString('latin1'))
}

export async function* jsonCsv(
  chunks: AsyncIterable<Buffer>,
  label: string,
  findings: Findings,
): AsyncGenerator<Buffer> {
  findings.headerIsLine = false
  let sample: Row[] = []
  let sampleBytes = 0
  const found = new Set<string>()
  let names: readonly string[] | undefined
  let text = ''
  let line = 0
  /** A line without a record stays a blank line, so that the following lines keep their numbers. */
  const write = (row: Row, columns: readonly string[]): void => {
    text += '\n'.repeat(row.number - line - 1) + rowOf(row.record, columns, findings)
    line = row.number
  }
  const begin = (): readonly string[] => {
    const columns = namesOf(found, label)
    text += csvRecord(columns, '\n')
    for (const each of sample) write(each, columns)
    sample = []
    return columns
  }
  for await (const piece of recordTexts(chunks, label, findings)) {
    const row = { number: piece.number, record: readLine(piece, findings) }
    if (names) write(row, names)
    else {
      sample.push(row)
      for (const name of row.record?.keys() ?? []) found.add(name)
      refuseTooWide(found.size, label)
    }
    sampleBytes += piece.bytes.length
    if (!names && (sample.length >= jsonSampleBounds.recordsMax || sampleBytes >= jsonSampleBounds.bytesMax)) {
      names = begin()
    }
    if (text.length >= batchCharacters) {
      yield Buffer.from(text)
      text = ''
    }
  }
  if (!names) begin()
  yield Buffer.from(text)
}

interface Row {
  readonly number: number
  readonly record: JsonRecord | undefined
}

/** If the first line is a record, each line is read separately, with its own errors; otherwise as documents. */
async function* recordTexts(
  chunks: AsyncIterable<Buffer>,
  label: string,
  findings: Findings,
): AsyncGenerator<JsonText> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  let isLines: boolean | undefined
  while (isLines === undefined) {
    const next: IteratorResult<Buffer, unknown> = await iterator.next()
    if (next.done !== true) head = Buffer.concat([head, next.value])
    isLines = isJsonLines(head, next.done === true)
  }
  const all = startingWith(head, iterator)
  yield* isLines ? linesOf(all) : jsonDocuments(all, label, (records) => findings.noteListed(records))
}

/** @returns undefined while the beginning of the file is inconclusive. */
function isJsonLines(head: Buffer, isAll: boolean): boolean | undefined {
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return false
  const end = /\r(?=.)|\r?\n/s.exec(text)
  if (!end && !isAll && head.length <= recordBytesMax) return undefined
  // Longer than a record may be, and no line end: a response on one line.
  if (!end && !isAll) return false
  const first = parsed(text.slice(0, end?.index).trim())
  if (first) return !holdsList(first)
  const rest = text.slice((end?.index ?? text.length) + 1).trimStart()
  if (rest === '' && !isAll && head.length <= recordBytesMax) return undefined
  // An incomplete line followed by another one: not an object over several lines. Alone, it is a document cut off.
  return rest.startsWith('{') || (rest === '' && !isAll)
}

function namesOf(found: ReadonlySet<string>, label: string): string[] {
  if (found.size > 0) return [...found]
  throw new AppError(
    'SOURCE_CORRUPT',
    `${label}: it begins like JSON, but no record was found: expected one JSON object per line, a list of objects, or an answer that holds one.`,
  )
}

function rowOf(record: JsonRecord | undefined, names: readonly string[], findings: Findings): string {
  if (!record) return '\n'
  let known = 0
  const cells = names.map((name) => {
    const value = record.get(name)
    if (value !== undefined) known++
    return value ?? ''
  })
  if (known < record.size) findings.repair('late_json_key')
  // An element of a list is a record even if it is empty; a line of only commas would be ignored.
  if (cells.every((cell) => cell.trim() === '')) return `""${','.repeat(cells.length - 1)}\n`
  return csvRecord(cells, '\n')
}

/**
 * All lines end like the first one: with a line feed (possibly after a carriage return), or with a carriage return
 * alone.
 */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonText> {
  let pending: Buffer = Buffer.alloc(0)
  let number = 0
  let lineEnd: number | undefined
  for await (const chunk of chunks) {
    let bytes = chunk
    if (lineEnd === undefined) {
      bytes = Buffer.concat([pending, chunk])
      pending = Buffer.alloc(0)
      lineEnd = lineEndOf(bytes)
    }
    let start = 0
    for (let end = nextEnd(bytes, lineEnd, start); end >= 0; end = nextEnd(bytes, lineEnd, start)) {
      const piece = bytes.subarray(start, end)
      number++
      // A chunk may contain a hundred thousand lines; this lets the event loop serve others in between.
      if (number % turnLines === 0) await setImmediate()
      yield lineOf(number, pending.length === 0 ? piece : Buffer.concat([pending, piece]))
      pending = Buffer.alloc(0)
      start = end + 1
    }
    // A line longer than a record may be is not buffered further.
    if (pending.length <= recordBytesMax) pending = Buffer.concat([pending, bytes.subarray(start)])
  }
  if (pending.length > 0) yield lineOf(number + 1, pending)
}

/** @returns undefined while the beginning of the file is inconclusive. */
function lineEndOf(bytes: Buffer): number | undefined {
  const [first] = /\n|\r(?=[^\n])/.exec(bytes.toString('latin1')) ?? []
  if (first === undefined) return bytes.length > recordBytesMax ? lineFeed : undefined
  return first.charCodeAt(0)
}

const nextEnd = (bytes: Buffer, lineEnd: number | undefined, from: number): number =>
  lineEnd === undefined ? -1 : bytes.indexOf(lineEnd, from)

const lineOf = (number: number, bytes: Buffer): JsonText => ({ number, bytes, isWhole: bytes.length <= recordBytesMax })

function readLine({ number, bytes, isWhole }: JsonText, findings: Findings): JsonRecord | undefined {
  const text = textOf(isWhole ? bytes : bytes.subarray(0, rawMax), findings)
  if (text === '') return undefined
  const refuse = (code: RejectCode, message: string): undefined => {
    findings.reject({ line: number, code, message, raw: text.slice(0, rawMax) })
    return undefined
  }
  if (!isWhole) return refuse('record_too_long', `the line is longer than ${recordBytesMax} bytes`)
  const value = parsed(text)
  if (value === undefined) return refuse('json_unreadable', 'this is not one JSON object')
  const record = new Map<string, string>()
  const fault = flatten(unwrapped(value), '', 1, record, findings)
  if (fault !== undefined) return refuse('json_unreadable', fault)
  return record.size > 0 ? record : refuse('json_unreadable', 'the JSON object holds nothing')
}

function textOf(bytes: Buffer, findings: Findings): string {
  if (isUtf8(bytes) && !bytes.includes(0))
    return bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
  const { text, repaired } = decodeAndRepair(bytes)
  for (const repair of repaired) findings.repair(repair)
  return text.trim()
}

function parsed(text: string): object | undefined {
  // Checked first, because a thrown error costs a hundred times as much, and a small file may unpack to millions of
  // these.
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @returns the reason if the object cannot be a record. */
function flatten(
  value: object,
  prefix: string,
  depth: number,
  into: Map<string, string>,
  findings: Findings,
): string | undefined {
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    // Checked before joining: under a long key, many short ones would each become a path of that length.
    if (prefix.length + key.length > pathCharactersMax) {
      return `the JSON object has a key of more than ${pathCharactersMax} characters, those above it counted`
    }
    const path = prefix + key
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
      const fault = depth < depthMax ? flatten(member, `${path}.`, depth + 1, into, findings) : undefined
      if (fault !== undefined) return fault
      continue
    }
    into.set(path, cellOf(textOfMember(member), findings))
  }
  return undefined
}

function textOfMember(member: unknown): string {
  if (Array.isArray(member)) return member.filter(isScalar).map(String).join(';')
  return isScalar(member) ? String(member) : ''
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function cellOf(text: string, findings: Findings): string {
  const line = onOneLine(text)
  if (line !== text) findings.repair('cell_line_break')
  return line
}
