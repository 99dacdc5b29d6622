/**
 * What time does to the books: held credits are released or spent, credits whose end has come go, money is earned for credits that were spent or have
 * lapsed, and orders that nobody paid expire. Each step is a transaction of its own over a bounded number of customers or lots; run again, it goes on with
 * what is left and writes nothing twice.
 */
import { orderTerms, settlement } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

const customersAtOnce = 200
const lotsAtOnce = 500
const itemsAtOnce = 500

export interface BooksKept {
  /** Held for rows that CRMs refused, and nobody mended. */
  readonly releasedCredits: number
  /** Held for rows that no destination takes any more. */
  readonly settledCredits: number
  readonly lapsedCredits: number
  /** Movements of money. */
  readonly earnings: number
  /** Not paid in time. */
  readonly expiredOrders: number
}

export async function keepBooks(db: Db): Promise<BooksKept> {
  const { releaseDays, undeliveredDays } = settlement
  const releasedCredits = await repeated(
    db,
    sql`SELECT ledger.release_refused(${releaseDays}, $1) AS done`,
    itemsAtOnce,
  )
  const settledCredits = await repeated(
    db,
    sql`SELECT ledger.settle_undelivered(${undeliveredDays}, $1) AS done`,
    itemsAtOnce,
  )
  const lapsedCredits = await repeated(db, 'SELECT ledger.expire_lots($1)::bigint AS done', customersAtOnce)
  const earnings = await repeated(db, 'SELECT ledger.earn_spent($1)::bigint AS done', lotsAtOnce)
  const expiredOrders = await repeated(db, 'SELECT orders.expire_unpaid($1)::bigint AS done', orderTerms.unpaidHours)
  return { releasedCredits, settledCredits, lapsedCredits, earnings, expiredOrders }
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
