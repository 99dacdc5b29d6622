/** The CRM of a life, and its clock: rows that are sent to it, what it answers, and days that pass for one account alone. */
import type { Db } from '../../../../src/db/db.ts'

/** The rows whose credits are held wait for it. */
export async function sendToCrm(db: Db, orderId: string): Promise<void> {
  await db.execute(
    `INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state)
     SELECT destination_id, item.item_id, item.order_id, 'gst:' || identifier, 'pending'
     FROM orders.item JOIN orders.purchase USING (order_id) JOIN deliver.destination USING (account_id)
     JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
     WHERE item.order_id = $1 AND charge.kind = 'hold' AND refunded_at IS NULL AND withdrawn_at IS NULL ON CONFLICT DO NOTHING`,
    [orderId],
  )
}

/** For rows that wait for it and were not taken back. */
export async function answerOfCrm(
  db: Db,
  { order, rows, answer }: { readonly order: string; readonly rows: readonly number[]; readonly answer: string },
): Promise<void> {
  await db.execute(
    `UPDATE deliver.delivery SET state = $3, updated_at = now() FROM orders.item
     WHERE item.item_id = delivery.item_id AND item.order_id = $1 AND position = ANY ($2) AND state = 'pending'
       AND refunded_at IS NULL AND withdrawn_at IS NULL`,
    [order, rows, answer],
  )
}

export async function switchHolding(db: Db, accountId: string, holds: boolean): Promise<void> {
  await db.execute('UPDATE deliver.destination SET deliver = $2 WHERE account_id = $1', [
    accountId,
    holds ? 'automatic' : 'manual',
  ])
}

/** Only the clock can do that, so the guards are left out for once. */
export async function letPass(db: Db, accountId: string, days: number): Promise<void> {
  const own = '(SELECT ledger_account_id FROM ledger.account WHERE owner_id = $1)'
  const ofOrders = '(SELECT order_id FROM orders.purchase WHERE account_id = $1)'
  const moved = [
    ['orders.purchase', ['created_at', 'paid_at', 'cancelled_at'], 'account_id = $1'],
    ['ledger.lot', ['ends_at'], `ledger_account_id IN ${own}`],
    ['ledger.transfer', ['created_at'], `customer_id IN ${own}`],
    ['deliver.delivery', ['updated_at'], `order_id IN ${ofOrders}`],
  ] as const
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    for (const [table, columns, where] of moved) {
      const set = columns.map((column) => `${column} = ${column} - make_interval(secs => 86400 * $2::float8)`)
      await tx.execute(`UPDATE ${table} SET ${set.join(', ')} WHERE ${where}`, [accountId, days])
    }
  })
}
