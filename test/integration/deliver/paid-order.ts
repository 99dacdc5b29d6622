/** A paid order with built leads, written as the orders and leads parts write it. */
import { randomUUID } from 'node:crypto'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Db } from '../../../src/db/db.ts'

export async function insertAccount(db: Db): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO access.account (email, username) VALUES ($1, 'sales') RETURNING account_id AS id`,
    [email],
  )
  if (!row) throw new Error('no account')
  return row.id
}

export async function insertOrder(
  db: Db,
  accountId: string,
  leads: readonly OutgoingLead[],
  paymentStatus = 'paid',
): Promise<string> {
  const [order] = await db.query<{ id: string }>(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
     VALUES ($1, 'Goa leads', 'credits', 'completed', $2, $3::int, $3::int) RETURNING order_id AS id`,
    [accountId, paymentStatus, leads.length],
  )
  if (!order) throw new Error('no order')
  const identifiers = leads.map(({ externalId, type }) => externalId.slice(type.length + 1))
  await db.execute(
    `WITH given AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY
         AS t (type, identifier, name, flat, place)
     ),
     item AS (
       INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
       SELECT $1, place - 1, type, identifier, name, true FROM given
       RETURNING item_id, position
     )
     INSERT INTO orders.lead (item_id, order_id, position, type, identifier, flat, full_data)
     SELECT i.item_id, $1, i.position, g.type, g.identifier, g.flat, '{}'
     FROM item i JOIN given g ON g.place - 1 = i.position`,
    [
      order.id,
      leads.map(({ type }) => type),
      identifiers,
      leads.map(({ row }, n) => String(row['Company'] ?? identifiers[n])),
      leads.map(({ row }) => JSON.stringify(row)),
    ],
  )
  return order.id
}
