/**
 * Writes leads as CSV by RFC 4180, slice by slice as they are read: every cell quoted, CRLF, and no cell that a
 * spreadsheet would run as a formula; a telephone number `+91…` is not a formula and is kept.
 *
 * Leads of one type have exactly that type's columns. For several types the columns of all are used, each once, in
 * the order company, director, gst; cells of columns that a row's type lacks are empty.
 */
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import { guarded } from '../../domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { ownTurn } from './turn.ts'

/** Marks the file as UTF-8 for Excel. */
const byteOrderMark = '\uFEFF'
/** Small enough that other requests of the process are served between two chunks. */
const rowsPerChunk = 50

export interface CsvOptions {
  readonly types: readonly EntityType[]
  readonly bom?: boolean
}

export async function* leadsCsv(
  batches: AsyncIterable<readonly { readonly row: LeadRow }[]>,
  { types, bom = false }: CsvOptions,
): AsyncGenerator<string> {
  const columns = columnsOf(types)
  yield (bom ? byteOrderMark : '') + line(columns)
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += rowsPerChunk) {
      await ownTurn()
      const rows = batch.slice(at, at + rowsPerChunk)
      yield rows.map(({ row }) => line(columns.map((name) => guarded(String(row[name] ?? ''))))).join('')
    }
  }
}

function columnsOf(types: readonly EntityType[]): string[] {
  const present = entityTypes.filter((type) => types.includes(type))
  return [...new Set(present.flatMap((type) => leadColumns[type].map(({ name }) => name)))]
}

/** Every cell is quoted, so the only rule is to double quotes; a library takes ten times as long. */
const line = (cells: readonly string[]): string =>
  `"${cells.map((cell) => cell.replaceAll('"', '""')).join('","')}"\r\n`
