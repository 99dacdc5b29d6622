/** An order whose leads a destination owes, written as a push leaves it; no CRM is behind the destination. */
import type { Db } from '../../../src/db/db.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
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

/** An account with an order of leads that a destination owes. */
export async function owedOrder(db: Db, count = 2) {
  const accountId = await insertAccount(db)
  const leads = Array.from({ length: count }, (_, n) => gstLead(n))
  const orderId = await insertOrder(db, accountId, leads)
  const destinationId = await insertDestination(db, accountId)
  const pushId = await insertPush(db, orderId, destinationId)
  const enqueued = await db.transaction((tx) => enqueuePush(tx, { pushId, orderId, destinationId }))
  return { accountId, orderId, destinationId, pushId, enqueued, ids: leads.map(({ externalId }) => externalId) }
}
