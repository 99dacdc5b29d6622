/**
 * The tolerant lane: one record that is not well formed, or holds broken characters, is decoded, repaired and parsed
 * by csv-parse. It comes out as clean CSV for COPY, or as a reject that says why. Same bytes in, same answer out.
 */
import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import type { RejectCode } from '../run/reject-codes.ts'

export type TolerantReading =
  | { readonly ok: true; readonly cells: readonly string[]; readonly healings: readonly string[] }
  | { readonly ok: false; readonly code: RejectCode; readonly message: string; readonly raw: string }

const windows1252 = new TextDecoder('windows-1252')
/** Bytes that other tools escaped as text after a replacement character. */
const escapedBytes: readonly (readonly [RegExp, string])[] = [
  [/\uFFFDx80x9[89]/g, "'"],
  [/\uFFFDx80x9[CDcd]/g, '"'],
  [/\uFFFDx80x9[34]/g, '-'],
]

/** Text of bytes in UTF-8, else in Windows-1252, with mojibake and NUL bytes repaired. */
export function decodeAndRepair(bytes: Buffer): { text: string; healings: string[] } {
  const healings: string[] = []
  const step = (name: string, before: string, after: string): string => {
    if (after !== before) healings.push(name)
    return after
  }
  let text = isUtf8(bytes) ? bytes.toString('utf8') : windows1252.decode(bytes)
  if (!isUtf8(bytes)) healings.push('windows_1252')
  text = step('nul_bytes', text, text.replaceAll('\0', ''))
  text = step(
    'mojibake',
    text,
    escapedBytes.reduce((kept, [pattern, mended]) => kept.replace(pattern, mended), text),
  )
  text = step('double_encoding', text, undoDoubleEncoding(text))
  return { text, healings }
}

const windows1252Bytes = new Map(Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Buffer.of(byte)), byte]))

/** `â€™` is the three bytes of `’` read as Windows-1252; it is undone only where the bytes are valid UTF-8 again. */
function undoDoubleEncoding(text: string): string {
  return text.replace(/[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u2122]{1,3}/g, (run) => {
    const bytes = [...run].map((character) => windows1252Bytes.get(character) ?? -1)
    if (bytes.includes(-1)) return run
    const candidate = Buffer.from(bytes)
    return isUtf8(candidate) ? candidate.toString('utf8') : run
  })
}

/** A record as COPY reads it: quoted where it must be. */
export function csvRecord(cells: readonly string[], lineEnd: string): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return quoted.join(',') + lineEnd
}

export function readTolerantly(bytes: Buffer, columns: number, wellFormed: boolean): TolerantReading {
  const { text, healings } = decodeAndRepair(bytes)
  const raw = bytes.includes(0) || !isUtf8(bytes) ? text : bytes.toString('utf8')
  const reading = parseRecord(text)
  if (!Array.isArray(reading)) return { ok: false, ...reading, raw }
  let cells = reading
  if (cells.length > columns && cells.slice(columns).every((cell) => cell === '')) {
    cells = cells.slice(0, columns)
    healings.push('trailing_commas')
  }
  if (cells.length !== columns) {
    const message = `${columns} columns expected, ${cells.length} found`
    return { ok: false, code: 'column_count', message, raw }
  }
  if (!wellFormed && text.includes('"')) healings.push('stray_quotes')
  return { ok: true, cells, healings }
}

export function parseRecord(text: string): string[] | { code: RejectCode; message: string } {
  // The parser's buffers cost more than the record where nothing is quoted.
  if (!text.includes('"')) return text === '' ? [] : text.split(',')
  try {
    // The record delimiter is one that cannot occur, so that a lone CR or LF inside stays part of its cell.
    const options = { relax_quotes: true, relax_column_count: true, record_delimiter: ['\u0000'], bom: false }
    const [record] = parse(text, options) as string[][]
    return record ?? []
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { code: 'quotes', message: 'the quotes of this line do not pair up' }
  }
}
