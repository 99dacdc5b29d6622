/**
 * The tolerant parser: decodes, repairs and parses (with csv-parse) one record that is not well-formed, or contains
 * broken characters or line breaks. The result is clean CSV for COPY, or a reject with its reason. Deterministic.
 */
import { isUtf8 } from 'node:buffer'
import { onOneLine, withoutEntities } from '../cell-repairs.ts'
import { withoutFormula } from '../cells-in-quotes.ts'
import { decodeAndRepair, parseRecord } from '../csv.ts'
import type { RejectCode } from '../run/reject-codes.ts'

export type TolerantReading =
  | { readonly ok: true; readonly cells: readonly string[]; readonly repaired: readonly string[] }
  | { readonly ok: false; readonly code: RejectCode; readonly message: string; readonly raw: string }

/** The number of columns of a header, and the number up to the last named one: the others may be missing. */
export interface ColumnCounts {
  readonly columns: number
  readonly namedColumns: number
}

export const columnCounts = (header: readonly string[]): ColumnCounts => ({
  columns: header.length,
  namedColumns: 1 + header.findLastIndex((name) => name.trim() !== ''),
})

/** @param unguarded removes the escape that the export of rejects adds before a cell. */
export function readTolerantly(
  bytes: Buffer,
  { columns, namedColumns }: ColumnCounts,
  wellFormed: boolean,
  unguarded: (cell: string) => string = (cell) => cell,
): TolerantReading {
  const { text, repaired } = decodeAndRepair(bytes)
  const raw = bytes.includes(0) || !isUtf8(bytes) ? text : bytes.toString('utf8')
  const reading = parseRecord(text)
  if (!Array.isArray(reading)) return { ok: false, ...reading, raw }
  let cells = reading
  const isLonger = cells.length > columns && cells.slice(columns).every((cell) => cell.trim() === '')
  const isShorter = cells.length < columns && cells.length >= namedColumns
  if (isLonger || isShorter) {
    cells = Array.from({ length: columns }, (_, index) => reading[index] ?? '')
    repaired.push('trailing_commas')
  }
  if (cells.length !== columns) {
    const message = `${columns} columns expected, ${cells.length} found`
    return { ok: false, code: 'column_count', message, raw }
  }
  const plain = cells.map(unguarded)
  const bare = plain.map(withoutFormula)
  if (differ(bare, plain)) repaired.push('formula_quotes')
  else if (!wellFormed && text.includes('"')) repaired.push('stray_quotes')
  const decoded = bare.map(withoutEntities)
  if (differ(decoded, bare)) repaired.push('html_entities')
  const lines = decoded.map(onOneLine)
  // Each cell is counted, as in a workbook.
  repaired.push(...lines.filter((cell, index) => cell !== decoded[index]).map(() => 'cell_line_break'))
  return { ok: true, cells: lines, repaired }
}

const differ = (cells: readonly string[], before: readonly string[]): boolean =>
  cells.some((cell, index) => cell !== before[index])
