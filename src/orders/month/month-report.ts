/** The accountant's report of a month, read from one snapshot of the database so that its parts agree. */

import { type Actor, audit } from '../../audit/audit.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { type Month, monthNamed, readIsOver } from './month.ts'
import { type JournalRow, journalPages, type ReturnRow, returnRows } from './month-rows.ts'
import {
  type AccountBalance,
  type MonthSums,
  monthSums,
  type ProductRevenue,
  revenueByProduct,
  trialBalance,
} from './month-sums.ts'

export interface MonthReport extends MonthSums {
  /** YYYY-MM */
  readonly month: string
  readonly first_day: string
  readonly last_day: string
  /** Whether the month has ended in India; otherwise more may be booked in it. */
  readonly is_over: boolean
  readonly closed: boolean
  /** When it was closed; from then on its report does not change. null while it is open. */
  readonly closed_at: string | null
  readonly revenue_by_product: readonly ProductRevenue[]
  readonly trial_balance: readonly AccountBalance[]
}

const readMs = 60_000

/**
 * For a closed month, the report stored then. @throws AppError NOT_FOUND for an invalid month or one that has not
 * begun.
 */
export function readMonthReport(db: Db, name: string): Promise<MonthReport> {
  const month = monthNamed(name)
  return db.readSnapshot(readMs, async (tx) => (await keptReport(tx, month)) ?? makeReport(tx, month))
}

async function keptReport(db: Queryable, { firstDay }: Month): Promise<MonthReport | undefined> {
  const [kept] = await db.query<{ report: Omit<MonthReport, 'closed' | 'closed_at'>; closedAt: Date }>(
    'SELECT report, closed_at AS "closedAt" FROM ledger.closed_month WHERE month = $1',
    [firstDay],
  )
  return kept && { ...kept.report, closed: true, closed_at: kept.closedAt.toISOString() }
}

async function makeReport(db: Queryable, month: Month): Promise<MonthReport> {
  return {
    month: month.month,
    first_day: month.firstDay,
    last_day: month.lastDay,
    is_over: await readIsOver(db, month),
    closed: false,
    closed_at: null,
    ...(await monthSums(db, month)),
    revenue_by_product: await revenueByProduct(db, month),
    trial_balance: await trialBalance(db, month),
  }
}

/**
 * Closes a month for good and stores its report, after all bookings in progress have committed. A closed month stays
 * as it is.
 * @throws AppError NOT_FOUND, CONFLICT for a month that is not over.
 */
export async function closeMonth(
  db: Db,
  name: string,
  { actor, reason }: { readonly actor: Actor; readonly reason: string },
): Promise<MonthReport> {
  const month = monthNamed(name)
  if (!(await readIsOver(db, month))) {
    throw new AppError('CONFLICT', `${name} is not over in India, so it stays open.`)
  }
  return db.transaction(async (tx) => {
    await tx.query('SELECT ledger.hold_month($1)', [month.firstDay])
    const { closed: _, closed_at: __, ...report } = await makeReport(tx, month)
    const [closed] = await tx.query<{ now: boolean }>('SELECT ledger.close_month($1, $2, $3, $4) AS now', [
      ...[month.firstDay, actor, reason, JSON.stringify(report)],
    ])
    if (closed?.now) await audit(tx, { actor, action: 'close month', subject: name, detail: { reason } })
    const kept = await keptReport(tx, month)
    if (!kept) throw new Error('a month that was closed has its report')
    return kept
  })
}

export function readReturnRows(db: Db, name: string): Promise<ReturnRow[]> {
  return returnRows(db, monthNamed(name))
}

export function readJournal(db: Db, name: string): AsyncGenerator<readonly JournalRow[]> {
  const month: Month = monthNamed(name)
  return journalPages(db, month)
}
