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
  for (const [position, lead] of leads.entries()) {
    const identifier = lead.externalId.slice(lead.type.length + 1)
    const [item] = await db.query<{ id: string }>(
      `INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
       VALUES ($1, $2, $3, $4, $5, true) RETURNING item_id AS id`,
      [order.id, position, lead.type, identifier, String(lead.row['Company'] ?? identifier)],
    )
    await db.execute(
      `INSERT INTO orders.lead (item_id, order_id, position, type, identifier, flat, full_data)
       VALUES ($1, $2, $3, $4, $5, $6, '{}')`,
      [item?.id, order.id, position, lead.type, identifier, JSON.stringify(lead.row)],
    )
  }
  return order.id
}
