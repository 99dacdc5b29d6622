/** Credits that an account was granted, spent and has left, by type: the `credits` of the access statement. */
import type { Queryable } from '../db/db.ts'
import type { CreditType } from './ledger.ts'

export interface CreditStatement {
  readonly type: CreditType
  readonly balance: number
  /** Granted, less what was revoked or has lapsed. */
  readonly total_credits: number
  /** Spent, less what was refunded; total_credits - used_credits = balance, always. */
  readonly used_credits: number
  readonly last_updated: string
}

/**
 * Reads lots, whose number depends on sales, ends and types and not on the number of entries. Expired credits are
 * left out, even before the job has lapsed them.
 * @returns a row per type that the account ever had; for an account that never had any, one row of zeros dated to its
 * creation.
 */
export async function creditStatement(db: Queryable, accountId: string): Promise<CreditStatement[]> {
  const rows = await db.query<{ type: CreditType; total: number; used: number; updated: Date }>(statement, [accountId])
  return rows.map(({ type, total, used, updated }) => ({
    type,
    balance: total - used,
    total_credits: total,
    used_credits: used,
    last_updated: updated.toISOString(),
  }))
}

const statement = {
  name: 'credit-statement',
  text: `WITH had AS (
           SELECT type, sum(CASE WHEN ends_at <= now() THEN used ELSE total END)::bigint AS total, sum(used)::bigint AS used,
                  max(updated_at) AS updated
           FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
           WHERE owner_id = $1 AND account.kind = 'credits' GROUP BY type)
         SELECT type, total, used, updated FROM had
         UNION ALL
         SELECT 'granted', 0, 0, created_at FROM access.account WHERE account_id = $1 AND NOT EXISTS (SELECT FROM had)
         ORDER BY type DESC`,
}
