/** Which of the records of an order the account owns already: bought, paid for and not given back lately. */
import { orderTerms } from '../../config/plans.ts'
import type { Queryable, Tx } from '../db/db.ts'

type Record = { readonly type: string; readonly identifier: string }

/** @returns their indexes. */
export const ownedItems = (db: Queryable, accountId: string, items: readonly Record[]): Promise<Set<number>> =>
  find(db, accountId, items, false)

/** The same, once the account's credits are held: what an order before this one bought is among them. */
export const holdAndFindOwned = (tx: Tx, accountId: string, items: readonly Record[]): Promise<Set<number>> =>
  find(tx, accountId, items, true)

const statement = {
  name: 'owned-items',
  text: 'SELECT place FROM orders.owned_items($1, $2, $3, $4, $5) AS place',
}

async function find(db: Queryable, accountId: string, items: readonly Record[], hold: boolean): Promise<Set<number>> {
  const rows = await db.query<{ place: number }>(statement, [
    accountId,
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
    orderTerms.ownedDays,
    hold,
  ])
  return new Set(rows.map(({ place }) => place - 1))
}
