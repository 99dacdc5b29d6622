/** The accountant's report of a month: of one snapshot of the database, so that its parts agree. */
import type { Db } from '../../db/db.ts'
import { isOver, type Month, monthNamed } from './month.ts'
import { type JournalRow, journalPages, type ReturnRow, returnRows } from './month-rows.ts'
import {
  type AccountBalance,
  type MonthSums,
  monthSums,
  type ProductRevenue,
  revenueByProduct,
  trialBalance,
} from './month-sums.ts'

export interface MonthReport {
  /** YYYY-MM */
  readonly month: string
  readonly first_day: string
  readonly last_day: string
  /** Whether the month has ended in India; more may come into one that has not. */
  readonly is_over: boolean
  readonly sums: MonthSums
  readonly revenue_by_product: readonly ProductRevenue[]
  readonly trial_balance: readonly AccountBalance[]
}

const readMs = 60_000

/** @throws AppError NOT_FOUND for what is no month, or one that has not begun. */
export function readMonthReport(db: Db, name: string): Promise<MonthReport> {
  const month = monthNamed(name)
  return db.readSnapshot(readMs, async (tx) => ({
    month: month.month,
    first_day: month.firstDay,
    last_day: month.lastDay,
    is_over: isOver(month),
    sums: await monthSums(tx, month),
    revenue_by_product: await revenueByProduct(tx, month),
    trial_balance: await trialBalance(tx, month),
  }))
}

export function readReturnRows(db: Db, name: string): Promise<ReturnRow[]> {
  return returnRows(db, monthNamed(name))
}

export function readJournal(db: Db, name: string): AsyncGenerator<readonly JournalRow[]> {
  const month: Month = monthNamed(name)
  return journalPages(db, month)
}
