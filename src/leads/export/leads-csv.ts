/**
 * Leads go in, slice by slice, CSV by RFC 4180 comes out as they are read: every cell quoted, CRLF, and no cell that a
 * spreadsheet would run as a formula; a telephone number `+91…` is none and stays as it is.
 *
 * Leads of one type have exactly that type's columns. Of several types there are the columns of all, each once, in the
 * order company, director, gst; cells of columns that a row's type lacks are empty.
 */
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import { guarded } from '../../domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { ownTurn } from './turn.ts'

/** By which Excel tells that a file is UTF-8. */
const byteOrderMark = '\uFEFF'
/** Few enough that other calls of the process are served between two chunks. */
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

/** With every cell quoted the rule is one: a quote is doubled. A library takes ten times as long for it. */
const line = (cells: readonly string[]): string =>
  `"${cells.map((cell) => cell.replaceAll('"', '""')).join('","')}"\r\n`
