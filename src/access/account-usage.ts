/** Usage of an account by day, with today's limits. The counts are those that admission uses. */
import { type BudgetName, dailyLimits } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { budgetKinds, limitOf } from '../limits/daily-budget.ts'
import { readQuotaAccount } from '../limits/quota-account.ts'
import { recordBudget } from './record-budget.ts'

export interface AccountUsage {
  /** UTC days by the database's clock, newest first; days without usage are left out, except today. */
  readonly days: readonly { readonly day: string; readonly used: Readonly<Record<string, number>> }[]
  /** Per UTC day; null: no limit. */
  readonly limits: Readonly<Record<string, number | null>>
}

/** @throws AppError NOT_FOUND */
export async function accountUsage(db: Queryable, accountId: string, daysBack: number): Promise<AccountUsage> {
  const account = await readQuotaAccount(db, accountId)
  const rows = await db.query<{ day: string; used: Record<string, number> }>(
    `WITH today AS (SELECT runtime.limit_day(now()) AS day)
     SELECT day, coalesce(jsonb_object_agg(kind, used) FILTER (WHERE kind IS NOT NULL), '{}') AS used
     FROM (SELECT day, kind, used FROM access.daily_usage
             WHERE account_id = $1 AND day > (SELECT day FROM today) - $2::integer
           UNION ALL SELECT day, NULL, NULL FROM today) u
     GROUP BY day ORDER BY day DESC`,
    [accountId, daysBack],
  )
  const feedRecords = (await recordBudget(db, account)).limit
  const limitsOfBudgets = (Object.keys(budgetKinds) as BudgetName[]).map((budget): [string, number | null] => [
    budgetKinds[budget],
    budget === 'feedRecords' ? feedRecords : limitOf(account, budget),
  ])
  return { days: rows, limits: { ...dailyLimits[account.plan], ...Object.fromEntries(limitsOfBudgets) } }
}
