/** The ledger for operators: accounts with their balances, and transfers with both of their accounts. */
import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { madeUntil } from '../db/until.ts'
import { isUuid } from '../domain/uuid.ts'

export interface BookAccount {
  readonly account: string
  readonly currency: 'credits' | 'paise'
  /** Sum of the entries; for `credits`, over all customers. */
  readonly balance: number
  readonly customers: number | null
}

export interface BookTransfer {
  readonly transfer_id: number
  readonly at: Date
  readonly kind: string
  readonly currency: 'credits' | 'paise'
  readonly from: string
  readonly to: string
  readonly amount: number
  /** The customer whose credits or money moved. */
  readonly user_id: string | null
  readonly credit_type: string | null
  readonly balance_after: number | null
  readonly reference: string
  readonly order_id: string | null
  readonly item_id: string | null
  readonly reverses: number | null
  readonly set_id: number | null
  readonly actor: string
  readonly memo: string | null
}

export interface BookFilter {
  readonly userId?: string | undefined
  readonly kind?: string | undefined
  /** Number of a transfer, its reference, or the id of an order or item. */
  readonly search?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Upper bound of the booking time. */
  readonly until?: string | undefined
}

/**
 * Reads each transfer once for both of its accounts. The system's own accounts store no balance, since every transfer
 * would wait for its lock.
 */
export async function bookAccounts(db: Queryable): Promise<BookAccount[]> {
  return db.query<BookAccount>(
    `WITH moved AS MATERIALIZED (
       SELECT from_id, to_id, sum(amount)::bigint AS amount FROM ledger.transfer GROUP BY from_id, to_id
     ), summed AS (
       SELECT ledger_account_id, sum(amount)::bigint AS amount
       FROM (SELECT to_id, amount FROM moved UNION ALL SELECT from_id, -amount FROM moved) AS entry (ledger_account_id, amount)
       GROUP BY ledger_account_id
     )
     SELECT kind AS account, currency, coalesce(sum(amount), 0)::bigint AS balance,
            CASE WHEN kind = 'credits' THEN count(*) END AS customers
     FROM ledger.account LEFT JOIN summed USING (ledger_account_id)
     GROUP BY kind, currency ORDER BY currency, kind`,
  )
}

const matching = sql`
  LEFT JOIN ledger.account AS customer ON customer.ledger_account_id = customer_id
  WHERE ($1::uuid IS NULL OR customer.owner_id = $1) AND ($2::text IS NULL OR transfer.kind = $2)
    AND ($3::text IS NULL OR transfer.reference = $3 OR transfer.transfer_id = $4 OR transfer.set_id = $4
         OR transfer.order_id = $5 OR transfer.item_id = $5)
    AND ($6::date IS NULL OR transfer.created_at >= runtime.indian_midnight($6))
    AND ($7::date IS NULL OR transfer.created_at < runtime.indian_midnight($7::date + 1))
    AND ${madeUntil('transfer.created_at', '$8')}`
const found = sql`
  FROM ledger.transfer
  JOIN ledger.account AS source ON source.ledger_account_id = from_id
  JOIN ledger.account AS target ON target.ledger_account_id = to_id
  LEFT JOIN ledger.lot USING (lot_id)${matching}`

function valuesOf({ userId, kind, search, from, to, until }: BookFilter): unknown[] {
  const id = search !== undefined && /^\d{1,15}$/.test(search) ? Number(search) : null
  const uuid = search !== undefined && isUuid(search) ? search : null
  return [userId ?? null, kind ?? null, search ?? null, id, uuid, from ?? null, to ?? null, until ?? null]
}

/** `at` sorts by transfer number, which is the booking order. */
export const transferSorts = listSorts('at-', {
  by: { at: 'transfer_id', kind: 'transfer.kind', amount: ['source.currency', 'amount'] },
  tie: 'transfer_id DESC',
})
type TransferSort = SortOf<'at' | 'kind' | 'amount'>

/** Other sorts have no index and are only allowed within one account. */
export const isOfOneAccount = (sort: TransferSort | undefined): boolean => sort !== undefined && !/^at-?$/.test(sort)

interface BookPage {
  readonly offset?: number
  readonly sort?: TransferSort | undefined
}

/** Newest first by default. */
export function listTransfers(
  db: Queryable,
  filter: BookFilter,
  limit: number,
  { offset = 0, sort }: BookPage = {},
): Promise<BookTransfer[]> {
  return db.query<BookTransfer>(
    sql`SELECT transfer_id, transfer.created_at AS at, transfer.kind, source.currency, source.kind AS from, target.kind AS to,
            amount, customer.owner_id AS user_id, lot.type AS credit_type, balance_after, reference, order_id, item_id,
            reverses, set_id, actor, memo
     ${found} ORDER BY ${transferSorts.orderBy(sort)} LIMIT $9 OFFSET $10`,
    [...valuesOf(filter), limit, offset],
  )
}

export async function countBookTransfers(db: Queryable, filter: BookFilter): Promise<number> {
  // Every transfer has both accounts, so the count does not need to join them.
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) FROM ledger.transfer${matching}`,
    valuesOf(filter),
  )
  return row?.count ?? 0
}

/** All matching transfers, oldest first, page by page, so that an export of any length runs in constant memory. */
export async function* exportTransfers(db: Queryable, filter: BookFilter): AsyncGenerator<BookTransfer[]> {
  const pageRows = 2_000
  for (let after = 0; ; ) {
    const rows = await db.query<BookTransfer>(
      sql`SELECT transfer_id, transfer.created_at AS at, transfer.kind, source.currency, source.kind AS from, target.kind AS to,
              amount, customer.owner_id AS user_id, lot.type AS credit_type, balance_after, reference, order_id, item_id,
              reverses, set_id, actor, memo
       ${found} AND transfer_id > $9 ORDER BY transfer_id LIMIT $10`,
      [...valuesOf(filter), after, pageRows],
    )
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    after = rows.at(-1)?.transfer_id ?? after
  }
}
