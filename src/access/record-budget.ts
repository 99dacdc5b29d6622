/**
 * Feed records per account and day. A call reserves the records that it asks for before the feed is read, and releases
 * those that were not returned; so the records returned in a day never exceed the budget, however many calls run
 * concurrently, and a call that would exceed it reads nothing. A process that dies in between leaves its page reserved.
 * `feed-ground.ts` reserves for all waiting calls; here a single call reserves for itself, and gets the error if it may
 * not.
 */
import { budgets } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import {
  type BudgetReading,
  budgetExhausted,
  budgetKinds,
  limitOf,
  readBudget,
  takeBudget,
} from '../limits/daily-budget.ts'
import { type QuotaAccount, quotaPlanOf } from '../limits/quota-account.ts'
import { createUnitReturns } from './return-units.ts'

/** @throws AppError RATE_LIMITED where fewer are left than `records`. */
export async function reserveRecords(db: Queryable, account: QuotaAccount, records: number): Promise<BudgetReading> {
  const taking = await takeBudget(db, account.accountId, 'feedRecords', records, await recordLimit(db, account))
  if (taking.taken) return taking
  const hint = taking.remaining === 0 ? '' : ` Ask for a limit of at most ${taking.remaining}.`
  throw budgetExhausted('feedRecords', taking, hint)
}

export type RecordReturns = (account: QuotaAccount, reserved: BudgetReading, unused: number) => Promise<BudgetReading>

/** @returns a function that releases `unused` reserved records, and returns what is left then. */
export function createRecordReturns(db: Queryable): RecordReturns {
  const giveBack = createUnitReturns(db)
  return async ({ accountId }, reserved, unused) => {
    if (unused === 0) return reserved
    await giveBack({ accountId, kind: budgetKinds.feedRecords, day: reserved.day, units: unused })
    const remaining = reserved.remaining === null ? null : reserved.remaining + unused
    return { ...reserved, used: reserved.used - unused, remaining }
  }
}

export async function recordBudget(db: Queryable, account: QuotaAccount): Promise<BudgetReading> {
  return readBudget(db, account.accountId, 'feedRecords', await recordLimit(db, account))
}

async function recordLimit(db: Queryable, account: QuotaAccount): Promise<number | null> {
  const { usual, bought } = recordLimits(account)
  if (usual === bought) return usual
  const purchases = await db.query(sql`SELECT FROM access.entitlement WHERE account_id = $1 AND ${buysText} LIMIT 1`, [
    account.accountId,
  ])
  return purchases.length > 0 ? bought : usual
}

/** An account on the free plan that has bought a feed has the budget of a buyer, not that of a trial. */
export function recordLimits(account: QuotaAccount): { readonly usual: number | null; readonly bought: number | null } {
  const usual = limitOf(account, 'feedRecords')
  return { usual, bought: quotaPlanOf(account) === 'free' ? budgets.premium.feedRecords : usual }
}

/** true for entitlements by which an account has bought a feed. */
export const buysText = sql`NOT trial AND starts_at <= now() AND (expires_at IS NULL OR expires_at > now()) AND revoked_at IS NULL`
