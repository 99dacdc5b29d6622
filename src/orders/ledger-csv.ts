/** Transfers as CSV, each with its date in India, as in the filters and the month's journal. */
import { stringify } from 'csv-stringify/sync'
import { guarded } from '../domain/formula-guard.ts'
import { indianDayOf } from '../domain/iso-date.ts'
import type { BookTransfer } from './ledger-accounts.ts'

const columns = [
  ...(['transfer_id', 'date', 'at', 'kind', 'currency', 'from', 'to', 'amount', 'user_id', 'credit_type'] as const),
  ...(['balance_after', 'reference', 'order_id', 'item_id', 'reverses', 'set_id', 'actor', 'memo'] as const),
] as const

export function transfersCsv(rows: readonly BookTransfer[]): string {
  const cells = rows.map(({ at, ...row }) => {
    const cells = { ...row, date: indianDayOf(at), at: at.toISOString() }
    return columns.map((name) => (typeof cells[name] === 'string' ? guarded(cells[name]) : cells[name]))
  })
  return stringify([[...columns], ...cells], { record_delimiter: 'windows' })
}
