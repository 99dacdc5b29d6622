/**
 * Leads go in, one CSV text comes out: every cell quoted, CRLF, and no cell that a spreadsheet would run as a formula;
 * a telephone number `+91…` is none and stays as it is.
 *
 * An order of one type has exactly that type's columns. A mixed order has the columns of all its types, each once, in
 * the order company, director, gst; cells of columns that a row's type lacks are empty.
 */
import { stringify } from 'csv-stringify/sync'
import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import { guarded } from '../domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../domain/identity.ts'

export function leadsCsv(types: readonly EntityType[], rows: readonly LeadRow[]): string {
  const present = entityTypes.filter((type) => types.includes(type))
  const columns = [...new Set(present.flatMap((type) => leadColumns[type].map(({ name }) => name)))]
  const cells = rows.map((row) => columns.map((name) => guarded(String(row[name] ?? ''))))
  return stringify([columns, ...cells], { quoted: true, quoted_empty: true, record_delimiter: 'windows' })
}
