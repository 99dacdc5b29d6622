/** The credits that an account has left, by the lot that they lie in: the one that ends first is spent first. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { CreditType } from './ledger.ts'

export interface CreditLot {
  readonly type: CreditType
  /** That were put in. */
  readonly total: number
  readonly left: number
  /** Null: they have no end. */
  readonly endsAt: Date | null
}

/** Lots of which something is left, in the order in which they are spent, 1,000 at most. Those of one type and end are told as one. */
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
