/**
 * Records of the feeds per account and day. A call reserves the records that it asks for before the feed is read, and
 * gives back those that did not come; so what is returned in a day never passes the budget, however many calls come at
 * once, and a call that would pass it costs no reading. A process that dies in between leaves its page reserved.
 */
import { budgets } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import {
  type BudgetReading,
  budgetExhausted,
  giveBackBudget,
  limitOf,
  readBudget,
  takeBudget,
} from '../limits/daily-budget.ts'
import type { QuotaAccount } from '../limits/quota-account.ts'

/** @throws AppError RATE_LIMITED where fewer are left than `records`. */
export async function reserveRecords(db: Queryable, account: QuotaAccount, records: number): Promise<BudgetReading> {
  const taking = await takeBudget(db, account.accountId, 'feedRecords', records, await recordLimit(db, account))
  if (taking.taken) return taking
  const hint = taking.remaining === 0 ? '' : ` Ask for a limit of at most ${taking.remaining}.`
  throw budgetExhausted('feedRecords', taking, hint)
}

/** @returns what is left after `unused` of the reserved records are given back. */
export async function giveBackRecords(
  db: Queryable,
  account: QuotaAccount,
  reserved: BudgetReading,
  unused: number,
): Promise<BudgetReading> {
  if (unused === 0) return reserved
  await giveBackBudget(db, account.accountId, { budget: 'feedRecords', amount: unused, day: reserved.day })
  const remaining = reserved.remaining === null ? null : reserved.remaining + unused
  return { ...reserved, used: reserved.used - unused, remaining }
}

export async function recordBudget(db: Queryable, account: QuotaAccount): Promise<BudgetReading> {
  return readBudget(db, account.accountId, 'feedRecords', await recordLimit(db, account))
}

/** An account of the free plan that has bought a feed has the budget of its price, not that of a trial. */
async function recordLimit(db: Queryable, account: QuotaAccount): Promise<number | null> {
  if (account.plan !== 'free' || account.isEnterprise) return limitOf(account, 'feedRecords')
  const bought = await db.query(
    `SELECT FROM access.entitlement
     WHERE account_id = $1 AND NOT trial AND starts_at <= now() AND (expires_at IS NULL OR expires_at > now())
       AND revoked_at IS NULL LIMIT 1`,
    [account.accountId],
  )
  return budgets[bought.length > 0 ? 'premium' : 'free'].feedRecords
}
