/**
 * The records of an order paid with money, as lines of its documents: one per kind, which add up to the exact total.
 */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { shareOf } from '../tax.ts'
import type { InvoiceLine } from './invoice.ts'

const kinds: Readonly<Record<EntityType, string>> = {
  company: 'Records of the company register',
  director: 'Records of the director register',
  gst: 'Records of the GST register',
}

export const recordsSold = (records: number): string =>
  `${records} ${records === 1 ? 'record' : 'records'} of the Indian registers`

/** The lines of a payment, or of the records that a repayment reverses; empty if it reverses no records. */
export async function linesOfOrder(
  tx: Tx,
  which: { readonly orderId: string } | { readonly items: readonly string[] },
  net: number,
): Promise<InvoiceLine[]> {
  const [where, value] =
    'orderId' in which
      ? [sql`order_id = $1 AND NOT already_owned`, which.orderId]
      : [sql`item_id = ANY ($1)`, which.items]
  const counts = await tx.query<{ type: EntityType; quantity: number }>(
    sql`SELECT type, count(*) AS quantity FROM orders.item WHERE ${where} GROUP BY type ORDER BY type`,
    [value],
  )
  const total = counts.reduce((sum, { quantity }) => sum + quantity, 0)
  let before = 0
  return counts.map(({ type, quantity }) => {
    const after = before + quantity
    const line = { description: kinds[type], quantity, net: shareOf(net, { before, after, total }) }
    before = after
    return line
  })
}
