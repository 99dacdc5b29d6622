/**
 * CSV as all steps of a run write and read it: decoding bytes in any encoding that files have, splitting a record into
 * cells and back, and the maximum width of a header. Pure: the same bytes give the same cells.
 */
import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { columnsMax } from '../../config/input-bounds.ts'
import { AppError } from '../errors.ts'
import { fromWindows1252 } from './cell-repairs.ts'
import { quotedCells } from './cells-in-quotes.ts'
import type { RejectCode } from './run/reject-codes.ts'

const windows1252 = new TextDecoder('windows-1252')
/** Bytes that other tools escaped as text after a replacement character. */
const escapedBytes: readonly (readonly [RegExp, string])[] = [
  [/\uFFFDx80x9[89]/g, "'"],
  [/\uFFFDx80x9[CDcd]/g, '"'],
  [/\uFFFDx80x9[34]/g, '-'],
]

/** Control characters except line breaks and tabs, and Windows-1252 characters that were read as ISO-8859-1. */
const controls = /(?![\t\n\v\f\r\u0085])\p{Cc}/gu

/** `SONS\u0092` is read as SONS’, as browsers do. Other control characters are dropped. */
function withoutControls(text: string): string {
  return text.replace(controls, (sign) => fromWindows1252(sign.charCodeAt(0)) ?? '')
}

/** Text of bytes in UTF-8, else in Windows-1252, with mojibake, NUL bytes and control characters repaired. */
export function decodeAndRepair(bytes: Buffer): { text: string; repaired: string[] } {
  const repaired: string[] = []
  const step = (name: string, before: string, after: string): string => {
    if (after !== before) repaired.push(name)
    return after
  }
  let text = isUtf8(bytes) ? bytes.toString('utf8') : windows1252.decode(bytes)
  if (!isUtf8(bytes)) repaired.push('windows_1252')
  text = step('nul_bytes', text, text.replaceAll('\0', ''))
  text = step(
    'mojibake',
    text,
    escapedBytes.reduce((kept, [pattern, repaired]) => kept.replace(pattern, repaired), text),
  )
  text = step('double_encoding', text, undoDoubleEncoding(text))
  text = step('control_characters', text, withoutControls(text))
  return { text, repaired }
}

const windows1252Bytes = new Map(Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Buffer.of(byte)), byte]))

/** UTF-8 characters each of whose bytes was read as a character: a first byte with as many others as it announces. */
const doublyEncoded =
  /(?:[\u00D8-\u00DB][\u0080-\u00BF\u0152-\u2122]){2,}|(?:[\u00C2\u00C3]|[\u00E0-\u00EF][\u0080-\u00BF\u0152-\u2122]|\u00F0[\u0080-\u00BF\u0152-\u2122]{2})[\u0080-\u00BF\u0152-\u2122]/g
/** Plausible results of a repair: the two bytes of `É’` also form a letter (`ɒ`), which no register uses. */
const likely =
  /^(?:[\u0080-\u00FF\u0900-\u0DFF\u2000-\u20CF\u2100-\u214F\uFEFF\uFFFD]|[\u0600-\u06FF]{2,}|[\u{1F300}-\u{1FAFF}])$/u

/**
 * `â€™` is the three bytes of `’` read as Windows-1252, or as ISO-8859-1, which has a control character for each byte.
 */
function undoDoubleEncoding(text: string): string {
  return text.replace(doublyEncoded, (run) => {
    const bytes = [...run].map((character) => windows1252Bytes.get(character) ?? character.charCodeAt(0))
    if (bytes.some((byte) => byte > 0xff)) return run
    const repaired = Buffer.from(bytes).toString('utf8')
    return likely.test(repaired) ? repaired : run
  })
}

/** A record as COPY reads it, quoted if necessary. */
export function csvRecord(cells: readonly string[], lineEnd: string): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return quoted.join(',') + lineEnd
}

export function parseRecord(text: string): string[] | { code: RejectCode; message: string } {
  // If nothing is quoted, the parser's buffers would cost more than the record.
  if (!text.includes('"')) return text === '' ? [] : text.split(',')
  const cells = quotedCells(text)
  if (cells) return cells
  try {
    // The record delimiter cannot occur, so that a lone CR or LF inside stays part of its cell.
    const options = { relax_quotes: true, relax_column_count: true, record_delimiter: ['\u0000'], bom: false }
    const [record] = parse(text, options) as string[][]
    return record ?? []
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { code: 'quotes', message: 'the quotes of this line do not pair up' }
  }
}

/** @throws AppError HEADER_MISMATCH */
export function refuseTooWide(columns: number, file: string): void {
  if (columns <= columnsMax) return
  throw new AppError(
    'HEADER_MISMATCH',
    `${file}, line 1: the header has ${columns} columns; at most ${columnsMax} are read ` +
      '(columnsMax in config/input-bounds.ts). Is it a table with the header on line 1?',
  )
}
