/** An order whose leads a destination owes, written as a push leaves it; no CRM is behind the destination. */
import type { Db } from '../../../src/db/db.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { grantCredits, refundItems, spendOnOrder } from '../../../src/orders/ledger.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

let names = 0
export async function insertDestination(db: Db, accountId: string): Promise<string> {
  names += 1
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', $2, $2, '') RETURNING destination_id AS id`,
    [accountId, `CRM ${names}`],
  )
  if (!row) throw new Error('no destination')
  return row.id
}

export async function insertPush(db: Db, orderId: string, destinationId: string, dueIn = '0 seconds'): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO deliver.push (order_id, destination_id, status, due_at)
     VALUES ($1, $2, 'queued', now() + $3::interval) RETURNING push_id AS id`,
    [orderId, destinationId, dueIn],
  )
  if (!row) throw new Error('no push')
  return row.id
}

/** An account, one of its own where none is named, with an order of leads that a destination owes. */
export async function owedOrder(db: Db, count = 2, of?: string) {
  const accountId = of ?? (await insertAccount(db))
  const leads = Array.from({ length: count }, (_, n) => gstLead(n))
  const orderId = await insertOrder(db, accountId, leads)
  const destinationId = await insertDestination(db, accountId)
  const pushId = await insertPush(db, orderId, destinationId)
  const enqueued = await db.transaction((tx) => enqueuePush(tx, { pushId, orderId, destinationId }))
  return { accountId, orderId, destinationId, pushId, enqueued, ids: leads.map(({ externalId }) => externalId) }
}

/** Charges the first item of an order, and gives its credit back. */
export async function giveFirstBack(db: Db, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [first] = await tx.query<{ itemId: string; accountId: string }>(
      `SELECT item_id AS "itemId", account_id AS "accountId" FROM orders.item JOIN orders.purchase USING (order_id)
       WHERE order_id = $1 AND position = 0`,
      [orderId],
    )
    if (!first) throw new Error('the order has no item')
    await grantCredits(tx, first.accountId, 1, `grant:${orderId}`)
    const [charge] = await spendOnOrder(tx, first.accountId, { orderId, credits: 1 })
    await tx.execute('UPDATE orders.item SET charge_id = $2 WHERE item_id = $1', [first.itemId, charge?.chargeId])
    const refunded = await refundItems(tx, first.accountId, [first.itemId], 'no_contact')
    if (refunded.length !== 1) throw new Error('the credit did not come back')
  })
}
