/** Which records a retry asks the CRM for again. */
import { expect, test } from 'vitest'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const states = ['rejected', 'pending', 'acknowledged', 'sending', 'unknown', 'withdrawn'] as const

/** An account with an order of one record in each state, delivered to one destination. */
async function accountWithRecords(remoteAccount: string) {
  const { db } = database
  const accountId = await insertAccount(db)
  const leads = states.map((_, n) => gstLead(n))
  const orderId = await insertOrder(db, accountId, leads)
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', 'CRM', $2, '') RETURNING destination_id AS id`,
    [accountId, remoteAccount],
  )
  const destinationId = destination?.id ?? ''
  const chosen = `SELECT $2::uuid, type || ':' || identifier, item_id, now(),
      CASE state WHEN 'withdrawn' THEN 'rejected' ELSE state END,
      CASE state WHEN 'withdrawn' THEN '{"code": "WITHDRAWN"}'::jsonb END, 3`
  const from =
    'FROM orders.item CROSS JOIN LATERAL (SELECT ($3::text[])[position + 1] AS state) AS s WHERE order_id = $1'
  const values = [orderId, destinationId, states]
  await db.execute(
    `INSERT INTO deliver.record (destination_id, external_id, item_id, version, state, last_error, attempts, desired_sha256)
     ${chosen}, '' ${from}`,
    values,
  )
  await db.execute(
    `INSERT INTO deliver.delivery (destination_id, external_id, item_id, version, state, last_error, attempts, order_id)
     ${chosen}, order_id ${from}`,
    values,
  )
  const untried = async () =>
    (
      await db.query<{ position: number }>(
        `SELECT position FROM deliver.record JOIN orders.item USING (item_id)
         WHERE destination_id = $1 AND attempts = 0 ORDER BY position`,
        [destinationId],
      )
    ).map(({ position }) => states[position])
  return { accountId, orderId, destinationId, untried }
}

test('a retry takes what was refused or waits of the account that asks, never of another, and leaves what is withdrawn', async () => {
  const mine = await accountWithRecords('a')
  const theirs = await accountWithRecords('b')
  const queue = recordJobs()
  const retry = (selection: Parameters<typeof retryDeliveries>[2]) =>
    database.db.transaction((tx) => retryDeliveries(tx, queue, { accountId: mine.accountId, ...selection }))
  for (const foreign of [{ orderId: theirs.orderId }, { destinationId: theirs.destinationId }, { deliveryId: 'none' }])
    expect(await retry(foreign)).toBe(0)
  expect(queue.sent).toEqual([])
  expect(await retry({ orderId: mine.orderId })).toBe(2)
  expect(await mine.untried()).toEqual(['rejected', 'pending'])
  expect(await theirs.untried()).toEqual([])
  expect(queue.sent.map(({ payload }) => payload)).toEqual([{ destinationId: mine.destinationId }])
})
