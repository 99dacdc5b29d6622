/** Which records of an order the account already owns: bought recently, paid for and not refunded. */
import { orderTerms } from '../../config/plans.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { reachText } from './order-items.ts'

type Record = { readonly type: string; readonly identifier: string }

const valuesOf = (accountId: string, items: readonly Record[]) => [
  accountId,
  items.map(({ type }) => type),
  items.map(({ identifier }) => identifier),
  orderTerms.ownedDays,
]

const ownedStatement = {
  name: 'owned-items',
  text: 'SELECT place FROM orders.owned_items($1, $2, $3, $4, false) AS place',
}

/** @returns their indexes. */
export async function ownedItems(db: Queryable, accountId: string, items: readonly Record[]): Promise<Set<number>> {
  const rows = await db.query<{ place: number }>(ownedStatement, valuesOf(accountId, items))
  return new Set(rows.map(({ place }) => place - 1))
}

/**
 * Returns rows of both kinds in one result; the registers are read first, so that the account is locked for a shorter
 * time.
 */
const holdStatement = {
  name: 'hold-and-find-owned',
  text: sql`SELECT reach."hasContact", NULL::bigint AS place FROM (${reachText}) AS reach
            UNION ALL SELECT NULL, place FROM orders.owned_items($1, $2, $3, $4, true) AS place`,
}

/**
 * Locks the account's credits until the end of the transaction, so that items of a concurrent order count as owned.
 * @returns for each item whether it has a usable contact, and the indexes of the owned items.
 */
export async function holdAndFindOwned(
  tx: Tx,
  accountId: string,
  items: readonly Record[],
): Promise<{ readonly reached: readonly boolean[]; readonly owned: ReadonlySet<number> }> {
  const rows = await tx.query<{ hasContact: boolean | null; place: number | null }>(
    holdStatement,
    valuesOf(accountId, items),
  )
  return {
    reached: rows.flatMap(({ hasContact }) => hasContact ?? []),
    owned: new Set(rows.flatMap(({ place }) => (place === null ? [] : place - 1))),
  }
}
