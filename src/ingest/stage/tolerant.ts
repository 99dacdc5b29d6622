/**
 * The tolerant lane: one record that is not well formed, or holds broken characters, is decoded, repaired and parsed
 * by csv-parse. It comes out as clean CSV for COPY, or as a reject that says why. Same bytes in, same answer out.
 */
import { isUtf8 } from 'node:buffer'
import { decodeAndRepair, parseRecord } from '../csv.ts'
import type { RejectCode } from '../run/reject-codes.ts'

export type TolerantReading =
  | { readonly ok: true; readonly cells: readonly string[]; readonly healings: readonly string[] }
  | { readonly ok: false; readonly code: RejectCode; readonly message: string; readonly raw: string }

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
