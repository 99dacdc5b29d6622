/**
 * Leads go in, order by order, CSV by RFC 4180 comes out as they are read: every cell quoted, CRLF, and no cell that a
 * spreadsheet would run as a formula; a telephone number `+91…` is none and stays as it is.
 *
 * Leads of one type have exactly that type's columns. Of several types there are the columns of all, each once, in the
 * order company, director, gst; cells of columns that a row's type lacks are empty.
 */
import { stringify } from 'csv-stringify/sync'
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import { guarded } from '../../domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'

/** By which Excel tells that a file is UTF-8. */
const byteOrderMark = '\uFEFF'

export interface CsvOptions {
  readonly types: readonly EntityType[]
  readonly bom?: boolean
}

export async function* leadsCsv(
  batches: AsyncIterable<readonly { readonly row: LeadRow }[]>,
  { types, bom = false }: CsvOptions,
): AsyncGenerator<string> {
  const columns = columnsOf(types)
  yield (bom ? byteOrderMark : '') + lines([columns])
  for await (const batch of batches) {
    if (batch.length > 0) {
      yield lines(batch.map(({ row }) => columns.map((name) => guarded(String(row[name] ?? '')))))
    }
  }
}

function columnsOf(types: readonly EntityType[]): string[] {
  const present = entityTypes.filter((type) => types.includes(type))
  return [...new Set(present.flatMap((type) => leadColumns[type].map(({ name }) => name)))]
}

const lines = (rows: readonly (readonly string[])[]): string =>
  stringify([...rows], { quoted: true, quoted_empty: true, record_delimiter: 'windows' })
