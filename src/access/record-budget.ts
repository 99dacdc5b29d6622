/**
 * Records of the feeds per account and day. A call reserves the records that it asks for before the feed is read, and
 * gives back those that did not come; so what is returned in a day never passes the budget, however many calls come at
 * once, and a call that would pass it costs no reading. A process that dies in between leaves its page reserved.
 * `feed-ground.ts` reserves for all calls that wait; here one does by itself, and is told why it may not.
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

/** @returns what gives back `unused` of the reserved records, and tells what is left then. */
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

/** An account of the free plan that has bought a feed has the budget of its price, not that of a trial. */
export function recordLimits(account: QuotaAccount): { readonly usual: number | null; readonly bought: number | null } {
  const usual = limitOf(account, 'feedRecords')
  return { usual, bought: quotaPlanOf(account) === 'free' ? budgets.premium.feedRecords : usual }
}

/** True of the entitlements by which an account has bought a feed. */
export const buysText = sql`NOT trial AND starts_at <= now() AND (expires_at IS NULL OR expires_at > now()) AND revoked_at IS NULL`
