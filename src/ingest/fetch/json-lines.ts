/**
 * JSON Lines in, CSV out: one object per line becomes one record, nested values under their path (`pradr.addr.stcd`),
 * lists joined with `;`. The header holds the paths that the first records have; lines keep their numbers.
 */
import { isUtf8 } from 'node:buffer'
import { jsonSampleBounds, recordBytesMax } from '../../../config/input-bounds.ts'
import { AppError } from '../../errors.ts'
import type { RejectCode } from '../reject-codes.ts'
import { refuseTooWide } from '../stage/header.ts'
import { csvRecord, decodeAndRepair } from '../stage/tolerant.ts'
import { onOneLine } from './cell-text.ts'
import type { Findings } from './findings.ts'

const depthMax = 4
const batchCharacters = 64 << 10
const rawMax = 4000

type JsonRecord = ReadonlyMap<string, string>

/** True for bytes that begin with an object: no header of a CSV does. */
export function startsWithObject(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes.subarray(0, 1024).toString('latin1'))
}

export async function* jsonLinesCsv(
  chunks: AsyncIterable<Buffer>,
  label: string,
  findings: Findings,
): AsyncGenerator<Buffer> {
  findings.headerIsLine = false
  let sample: (JsonRecord | undefined)[] = []
  let sampleBytes = 0
  let names: readonly string[] | undefined
  let text = ''
  for await (const line of linesOf(chunks)) {
    const record = readLine(line, findings)
    if (names) text += rowOf(record, names, findings)
    else sample.push(record)
    sampleBytes += line.bytes.length
    if (!names && (sample.length >= jsonSampleBounds.recordsMax || sampleBytes >= jsonSampleBounds.bytesMax)) {
      names = namesOf(sample, label)
      text += csvRecord(names, '\n')
      for (const each of sample) text += rowOf(each, names, findings)
      sample = []
    }
    if (text.length >= batchCharacters) {
      yield Buffer.from(text)
      text = ''
    }
  }
  if (!names) {
    const found = namesOf(sample, label)
    text += csvRecord(found, '\n') + sample.map((each) => rowOf(each, found, findings)).join('')
  }
  yield Buffer.from(text)
}

function namesOf(sample: readonly (JsonRecord | undefined)[], label: string): string[] {
  const names = new Set(sample.flatMap((record) => [...(record?.keys() ?? [])]))
  refuseTooWide(names.size, label)
  if (names.size > 0) return [...names]
  throw new AppError(
    'SOURCE_CORRUPT',
    `${label}: it begins like JSON Lines, but none of its first lines holds a whole JSON object; expected one per line.`,
  )
}

/** A line without a record stays a blank line, so that the ones after it keep their numbers. */
function rowOf(record: JsonRecord | undefined, names: readonly string[], findings: Findings): string {
  if (!record) return '\n'
  let known = 0
  const cells = names.map((name) => {
    const value = record.get(name)
    if (value !== undefined) known++
    return value ?? ''
  })
  if (known < record.size) findings.heal('late_json_key')
  return csvRecord(cells, '\n')
}

interface Line {
  readonly number: number
  readonly bytes: Buffer
  readonly isWhole: boolean
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let pending: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end)
      number++
      yield lineOf(number, pending.length === 0 ? piece : Buffer.concat([pending, piece]))
      pending = Buffer.alloc(0)
      start = end + 1
    }
    // What is longer than a record may be is not collected any further.
    if (pending.length <= recordBytesMax) pending = Buffer.concat([pending, chunk.subarray(start)])
  }
  if (pending.length > 0) yield lineOf(number + 1, pending)
}

const lineOf = (number: number, bytes: Buffer): Line => ({ number, bytes, isWhole: bytes.length <= recordBytesMax })

function readLine({ number, bytes, isWhole }: Line, findings: Findings): JsonRecord | undefined {
  const text = textOf(isWhole ? bytes : bytes.subarray(0, rawMax), findings)
  if (text === '') return undefined
  const refuse = (code: RejectCode, message: string): undefined => {
    findings.reject({ line: number, code, message, raw: text.slice(0, rawMax) })
    return undefined
  }
  if (!isWhole) return refuse('record_too_long', `the line is longer than ${recordBytesMax} bytes`)
  const value = parsed(text)
  if (value === undefined) return refuse('json_unreadable', 'the line is not one JSON object')
  const record = new Map<string, string>()
  flatten(value, '', 0, record, findings)
  return record.size > 0 ? record : refuse('json_unreadable', 'the JSON object holds nothing')
}

function textOf(bytes: Buffer, findings: Findings): string {
  if (isUtf8(bytes) && !bytes.includes(0))
    return bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
  const { text, healings } = decodeAndRepair(bytes)
  for (const healing of healings) findings.heal(healing)
  return text.trim()
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function flatten(value: object, prefix: string, depth: number, into: Map<string, string>, findings: Findings): void {
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    const path = prefix + key
    if (Array.isArray(member)) into.set(path, cellOf(member.filter(isScalar).map(String).join(';'), findings))
    else if (isScalar(member)) into.set(path, cellOf(String(member), findings))
    else if (typeof member === 'object' && member !== null) {
      if (depth < depthMax) flatten(member, `${path}.`, depth + 1, into, findings)
    } else into.set(path, '')
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function cellOf(text: string, findings: Findings): string {
  const line = onOneLine(text)
  if (line !== text) findings.heal('cell_line_break')
  return line
}
