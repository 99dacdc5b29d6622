/**
 * Applies the passing of time to the ledger: held credits are released or spent, expired credits lapse, money is
 * earned for credits that were spent or have lapsed, and unpaid orders expire. Each step is a transaction of its own
 * over a bounded number of customers or lots; a repeated run continues with what is left and writes nothing twice.
 */
import { orderTerms, settlement } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

const customersAtOnce = 200
const lotsAtOnce = 500
const itemsAtOnce = 500

export interface BooksKept {
  /** Rows that CRMs rejected in such numbers that an operator decides. */
  readonly reportedRefusals: number
  /** Held for rows that CRMs rejected and that were never fixed. */
  readonly releasedCredits: number
  /** Held for rows that no destination accepts any more. */
  readonly settledCredits: number
  readonly lapsedCredits: number
  /** Movements of money. */
  readonly earnings: number
  /** Not paid in time. */
  readonly expiredOrders: number
}

export async function closeLedgerDay(db: Db): Promise<BooksKept> {
  const { releaseDays, undeliveredDays, longestDays, refusals } = settlement
  const { share, rows, days } = refusals
  const [refused] = await db.query<{ reported: number }>('SELECT ledger.report_refused($1, $2, $3, $4) AS reported', [
    releaseDays,
    share,
    rows,
    days,
  ])
  const releasedCredits = await repeated(
    db,
    sql`SELECT ledger.release_refused(${releaseDays}, $1) AS done`,
    itemsAtOnce,
  )
  const settledCredits = await repeated(
    db,
    sql`SELECT ledger.settle_undelivered(${undeliveredDays}, ${longestDays}, $1) AS done`,
    itemsAtOnce,
  )
  const lapsedCredits = await repeated(db, 'SELECT ledger.expire_lots($1)::bigint AS done', customersAtOnce)
  const earnings = await repeated(db, 'SELECT ledger.earn_spent($1)::bigint AS done', lotsAtOnce)
  const expiredOrders = await repeated(db, 'SELECT orders.expire_unpaid($1)::bigint AS done', orderTerms.unpaidHours)
  const reportedRefusals = refused?.reported ?? 0
  return { reportedRefusals, releasedCredits, settledCredits, lapsedCredits, earnings, expiredOrders }
}

async function repeated(db: Db, statement: string, atOnce: number): Promise<number> {
  let all = 0
  for (;;) {
    const [row] = await db.query<{ done: number }>(statement, [atOnce])
    const done = row?.done ?? 0
    if (done === 0) return all
    all += done
  }
}
