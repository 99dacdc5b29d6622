/** The credits of an account, as the access statement prints them. */
import type { Queryable } from '../db/db.ts'

export interface CreditStatementLine {
  readonly type: string
  readonly balance: number
  readonly total_credits: number
  readonly used_credits: number
  readonly last_updated: string | null
}

/** Derived from the ledger: what came in, what was spent net of refunds, and what is left. */
export async function creditStatement(db: Queryable, accountId: string): Promise<CreditStatementLine[]> {
  const rows = await db.query<Omit<CreditStatementLine, 'last_updated'> & { last_updated: Date | null }>(
    `SELECT a.kind AS type, coalesce(sum(e.amount), 0) AS balance,
            coalesce(sum(e.amount) FILTER (WHERE t.kind IN ('grant', 'revoke')), 0) AS total_credits,
            coalesce(-sum(e.amount) FILTER (WHERE t.kind IN ('spend', 'refund')), 0) AS used_credits,
            max(e.created_at) AS last_updated
     FROM ledger.account a
     LEFT JOIN ledger.entry e USING (ledger_account_id)
     LEFT JOIN ledger.transfer t USING (transfer_id)
     WHERE a.owner_id = $1
     GROUP BY a.kind ORDER BY a.kind`,
    [accountId],
  )
  return rows.map((row) => ({ ...row, last_updated: row.last_updated?.toISOString() ?? null }))
}
