/** An account's remaining credits by lot. The lot that expires first is spent first. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { CreditType } from './ledger.ts'

export interface CreditLot {
  readonly type: CreditType
  /** Credits granted. */
  readonly total: number
  readonly left: number
  /** null: they do not expire. */
  readonly endsAt: Date | null
}

/**
 * Lots with credits left, in the order in which they are spent, at most 1,000. Lots of the same type and end are
 * merged.
 */
export async function listCreditLots(db: Queryable, accountId: string): Promise<CreditLot[]> {
  return db.query<CreditLot>(statement, [accountId])
}

const statement = {
  name: 'credit-lots',
  text: sql`SELECT type, sum(total)::bigint AS total, sum(total - used)::bigint AS left, ends_at AS "endsAt"
         FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
         WHERE owner_id = $1 AND account.kind = 'credits' AND total > used AND (ends_at IS NULL OR ends_at > now())
         GROUP BY type, ends_at ORDER BY ends_at NULLS LAST, min(lot_id) LIMIT 1000`,
}
