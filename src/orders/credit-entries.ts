/** The movements of an account's credits, as its owner reads them. */
import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { madeUntil } from '../db/until.ts'
import type { CreditType } from './ledger.ts'

export const creditKinds = [
  ...(['grant', 'revoke', 'spend', 'hold', 'subscribe', 'unsubscribe', 'refund', 'release', 'expire'] as const),
  'reversal',
] as const
export type CreditKind = (typeof creditKinds)[number]

export interface CreditEntry {
  readonly entry_id: number
  readonly at: Date
  readonly kind: CreditKind
  readonly credit_type: CreditType
  /** Positive if it raises the balance. */
  readonly amount: number
  readonly balance_after: number
  readonly reference: string
  readonly order_id: string | null
  readonly memo: string | null
}

export interface EntryFilter {
  readonly kind?: CreditKind | undefined
  /** First and last day, in India. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Upper bound of the booking time. */
  readonly until?: string | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'at' | 'kind' | 'amount'> | undefined
}

const amount = 'CASE WHEN from_id = customer_id THEN -amount ELSE amount END'

/** All entries belong to one account, and counting the pages reads each of them anyway, so any sort is affordable. */
export const creditSorts = listSorts('at-', {
  by: { at: 'transfer_id', kind: 'found.kind', amount },
  tie: 'transfer_id DESC',
})

const where = sql`
  FROM ledger.account JOIN ledger.transfer found ON customer_id = ledger_account_id
  WHERE account.owner_id = $1 AND account.kind = 'credits' AND balance_after IS NOT NULL
    AND ($2::text IS NULL OR found.kind = $2)
    AND ($3::date IS NULL OR found.created_at >= runtime.indian_midnight($3))
    AND ($4::date IS NULL OR found.created_at < runtime.indian_midnight($4::date + 1))
    AND ${madeUntil('found.created_at', '$5')}`

/** Newest first by default; `total` counts all pages. */
export async function listCreditEntries(
  db: Queryable,
  accountId: string,
  { kind, from, to, until, page, limit, sort }: EntryFilter,
): Promise<{ entries: CreditEntry[]; total: number }> {
  const values = [accountId, kind ?? null, from ?? null, to ?? null, until ?? null]
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${where}`, values)
  const order = creditSorts.orderBy(sort)
  const entries = await db.query<CreditEntry>(
    sql`SELECT transfer_id * 2 - CASE WHEN from_id = customer_id THEN 1 ELSE 0 END AS entry_id, created_at AS at, kind,
            (SELECT type FROM ledger.lot WHERE lot.lot_id = found.lot_id) AS credit_type,
            ${amount} AS amount, balance_after, reference, order_id, memo
     FROM (SELECT found.* ${where} ORDER BY ${order} LIMIT $6 OFFSET $7) AS found ORDER BY ${order}`,
    [...values, limit, (page - 1) * limit],
  )
  return { entries, total: counted?.total ?? 0 }
}
