/** Parts of a month's report as CSV, dates as YYYY-MM-DD. */
import { csv, csvPages, rupees } from '../rupees-csv.ts'
import type { MonthReport } from './month-report.ts'
import type { JournalRow, ReturnRow } from './month-rows.ts'
import { sumNames } from './month-sums.ts'

export const monthParts = ['trial_balance', 'revenue', 'sums', 'documents', 'journal'] as const
export type MonthPart = (typeof monthParts)[number]

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

export const journalCsv = (
  pages: AsyncIterable<readonly JournalRow[]> | Iterable<readonly JournalRow[]>,
): AsyncGenerator<string> =>
  csvPages(journalColumns, pages, ({ amount, ...row }) => ({ ...row, amount: rupees(amount) }))
