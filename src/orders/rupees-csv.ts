/** CSV files for accounting programs: sums in rupees, and no cell that a spreadsheet would execute. */
import { stringify } from 'csv-stringify/sync'
import { guarded } from '../domain/formula-guard.ts'

export type CsvRow = Readonly<Record<string, string | number | null>>

/** Rupees with two decimals. */
export const rupees = (paise: number): string => {
  const whole = Math.trunc(Math.abs(paise) / 100)
  return `${paise < 0 ? '-' : ''}${whole}.${String(Math.abs(paise) % 100).padStart(2, '0')}`
}

export function csv(columns: readonly string[], rows: readonly CsvRow[], headed = true): string {
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? null
      return typeof value === 'string' ? guarded(value) : value
    }),
  )
  return stringify(headed ? [[...columns], ...cells] : cells, { record_delimiter: 'windows' })
}

/**
 * Page by page, so that a file of any length can be exported; the header line precedes the first row, or is the whole
 * file.
 */
export async function* csvPages<T>(
  columns: readonly string[],
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  rowOf: (value: T) => CsvRow,
): AsyncGenerator<string> {
  let headed = true
  for await (const page of pages) {
    yield csv(columns, page.map(rowOf), headed)
    headed = false
  }
  if (headed) yield csv(columns, [])
}
