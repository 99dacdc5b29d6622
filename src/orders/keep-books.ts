/**
 * What time does to the books: credits whose end has come go, money is earned for credits that were spent or have
 * lapsed, and orders that nobody paid expire. Each step is a transaction of its own over a bounded number of customers or lots; run again, it goes on with
 * what is left and writes nothing twice.
 */
import { orderTerms } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'

const customersAtOnce = 200
const lotsAtOnce = 500

/** @returns credits that went, movements of earned money, and orders that were not paid in time. */
export async function keepBooks(db: Db): Promise<{ lapsedCredits: number; earnings: number; expiredOrders: number }> {
  const lapsedCredits = await repeated(db, 'SELECT ledger.expire_lots($1)::bigint AS done', customersAtOnce)
  const earnings = await repeated(db, 'SELECT ledger.earn_spent($1)::bigint AS done', lotsAtOnce)
  const expiredOrders = await repeated(db, 'SELECT orders.expire_unpaid($1)::bigint AS done', orderTerms.unpaidHours)
  return { lapsedCredits, earnings, expiredOrders }
}

async function repeated(db: Db, sql: string, atOnce: number): Promise<number> {
  let all = 0
  for (;;) {
    const [row] = await db.query<{ done: number }>(sql, [atOnce])
    const done = row?.done ?? 0
    if (done === 0) return all
    all += done
  }
}
