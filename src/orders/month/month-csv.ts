/** Parts of a month's report as CSV files that an accountant's program imports: sums in rupees, days as YYYY-MM-DD. */
import { stringify } from 'csv-stringify/sync'
import { guarded } from '../../domain/formula-guard.ts'
import type { MonthReport } from './month-report.ts'
import type { JournalRow, ReturnRow } from './month-rows.ts'
import { sumNames } from './month-sums.ts'

export const monthParts = ['trial_balance', 'revenue', 'sums', 'documents', 'journal'] as const
export type MonthPart = (typeof monthParts)[number]

type Row = Readonly<Record<string, string | number | null>>

/** Rupees with both digits of their paise. */
const rupees = (paise: number): string => {
  const whole = Math.trunc(Math.abs(paise) / 100)
  return `${paise < 0 ? '-' : ''}${whole}.${String(Math.abs(paise) % 100).padStart(2, '0')}`
}

/** The line of headings is written by the first page alone. */
function csv(columns: readonly string[], rows: readonly Row[], headed = true): string {
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? null
      return typeof value === 'string' ? guarded(value) : value
    }),
  )
  return stringify(headed ? [[...columns], ...cells] : cells, { record_delimiter: 'windows' })
}

export function sumsCsv(report: MonthReport, part: 'trial_balance' | 'revenue' | 'sums'): string {
  if (part === 'trial_balance') {
    const rows = report.trial_balance.map(({ currency, debit, credit, account }) => {
      const shown = (amount: number) => (currency === 'paise' ? rupees(amount) : amount)
      return { account, unit: currency === 'paise' ? 'INR' : 'credits', debit: shown(debit), credit: shown(credit) }
    })
    return csv(['account', 'unit', 'debit', 'credit'], rows)
  }
  if (part === 'revenue') {
    const rows = report.revenue_by_product.map(({ product, earned, breakage }) => {
      return { product, earned: rupees(earned), breakage: rupees(breakage) }
    })
    return csv(['product', 'earned', 'breakage'], rows)
  }
  const rows = sumNames.map((sum) => ({ sum, amount: rupees(report[sum]) }))
  return csv(['sum', 'amount'], rows)
}

const documentColumns = [
  ...(['table', 'number', 'date', 'gstin', 'buyer', 'place_of_supply', 'reverse_charge', 'sac', 'rate'] as const),
  ...(['taxable_value', 'igst', 'cgst', 'sgst', 'cess', 'value', 'against', 'against_date'] as const),
]

export const documentsCsv = (rows: readonly ReturnRow[]): string =>
  csv(
    documentColumns,
    rows.map(({ taxable_value, igst, cgst, sgst, cess, value, ...row }) => ({
      ...row,
      ...{ taxable_value: rupees(taxable_value), igst: rupees(igst), cgst: rupees(cgst), sgst: rupees(sgst) },
      ...{ cess: rupees(cess), value: rupees(value) },
    })),
  )

const journalColumns = [
  ...([
    'transfer_id',
    'date',
    'kind',
    'debit',
    'credit',
    'amount',
    'user_id',
    'document',
    'reference',
    'memo',
  ] as const),
]

export async function* journalCsv(
  pages: AsyncIterable<readonly JournalRow[]> | Iterable<readonly JournalRow[]>,
): AsyncGenerator<string> {
  let headed = true
  for await (const rows of pages) {
    yield csv(
      journalColumns,
      rows.map(({ amount, ...row }) => ({ ...row, amount: rupees(amount) })),
      headed,
    )
    headed = false
  }
  if (headed) yield csv(journalColumns, [])
}
