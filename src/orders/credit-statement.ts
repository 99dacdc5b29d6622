/** What an account was granted, what it spent and what is left: the `credits` of the access statement. */
import type { Queryable } from '../db/db.ts'

export interface CreditStatement {
  readonly type: string
  readonly balance: number
  /** Granted, less what was taken back. */
  readonly total_credits: number
  /** Spent, less what was refunded; total_credits - used_credits = balance, always. */
  readonly used_credits: number
  readonly last_updated: string | null
}

/** @returns one row of type `credits`, of zeros for an account that never had any. */
export async function creditStatement(db: Queryable, accountId: string): Promise<CreditStatement[]> {
  const [row] = await db.query<{ balance: number; total: number; used: number; updated: Date | null }>(
    `SELECT coalesce(sum(entry.amount), 0)::bigint AS balance,
            coalesce(sum(entry.amount) FILTER (WHERE transfer.kind IN ('grant', 'revoke')), 0)::bigint AS total,
            coalesce(-sum(entry.amount) FILTER (WHERE transfer.kind IN ('spend', 'refund')), 0)::bigint AS used,
            max(entry.created_at) AS updated
     FROM ledger.account
     JOIN ledger.entry USING (ledger_account_id)
     JOIN ledger.transfer USING (transfer_id)
     WHERE account.owner_id = $1 AND account.kind = 'credits'`,
    [accountId],
  )
  return [
    {
      type: 'credits',
      balance: row?.balance ?? 0,
      total_credits: row?.total ?? 0,
      used_credits: row?.used ?? 0,
      last_updated: row?.updated?.toISOString() ?? null,
    },
  ]
}
