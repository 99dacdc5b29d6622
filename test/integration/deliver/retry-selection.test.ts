/** Which records a retry asks the CRM for again. */
import { expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { giveFirstBack } from './owed-order.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const states = ['rejected', 'pending', 'acknowledged', 'sending', 'unknown', 'withdrawn'] as const

/** An account with an order of one record in each state, delivered to one destination. */
async function accountWithRecords(remoteAccount: string, leads = states.map((_, n) => gstLead(n))) {
  const { db } = database
  const accountId = await insertAccount(db)
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

test('a delivered lead that was given back, withdrawn or objected to is not sent again, and stays told as delivered', async () => {
  const { db } = database
  const leads = states.map((_, n) => (n === 2 ? directorLead(n) : gstLead(n)))
  const { accountId, orderId, destinationId } = await accountWithRecords('c', leads)
  await db.execute(`UPDATE deliver.record SET state = 'acknowledged' WHERE destination_id = $1`, [destinationId])
  await db.execute(`UPDATE deliver.delivery SET state = 'acknowledged' WHERE destination_id = $1`, [destinationId])
  await giveFirstBack(db, orderId)
  await db.execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1 AND position = 1', [orderId])
  const deliveries = await db.query<{ id: string }>(
    `SELECT delivery_id AS id FROM deliver.delivery JOIN orders.item USING (item_id)
     WHERE destination_id = $1 ORDER BY position`,
    [destinationId],
  )
  const objections = [readObjection('din', String(leads[2]?.row['DIN'])) ?? []].flat()
  await db.transaction((tx) => addSuppressions(tx, recordJobs(), { objections, actor: 'operator' }))
  const asListed = () =>
    db.query<{ state: string; recreate: boolean }>(
      `SELECT r.state, d.state AS told, recreate FROM deliver.record r JOIN deliver.delivery d USING (destination_id, external_id)
       JOIN orders.item ON item.item_id = r.item_id WHERE r.destination_id = $1 ORDER BY position`,
      [destinationId],
    )
  const before = await asListed()
  const retry = (deliveryId = '') =>
    db.transaction((tx) => retryDeliveries(tx, recordJobs(), { accountId, deliveryId }))
  for (const { id } of deliveries.slice(0, 3)) expect(await retry(id)).toBe(0)
  expect(await asListed()).toEqual(before)
  expect(await retry(deliveries[3]?.id)).toBe(1)
})

test('what was recalled is not sent again as long as somebody objects; where its import was undone the buyer still owns it', async () => {
  const { db } = database
  const leads = states.map((_, n) => (n === 0 ? directorLead(40) : gstLead(40 + n)))
  const { accountId, orderId, destinationId, untried } = await accountWithRecords('d', leads)
  const codes = ['SUPPRESSED', 'RECALLED', 'WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN']
  for (const table of ['record', 'delivery'])
    await db.execute(
      `UPDATE deliver.${table === 'record' ? 'record' : 'delivery'} r SET state = 'rejected', last_error = jsonb_build_object('code', ($2::text[])[position + 1])
       FROM orders.item i WHERE i.item_id = r.item_id AND r.destination_id = $1`,
      [destinationId, codes],
    )
  const objections = [readObjection('din', String(leads[0]?.row['DIN'])) ?? []].flat()
  await db.transaction((tx) => addSuppressions(tx, recordJobs(), { objections, actor: 'operator' }))
  const retry = () => db.transaction((tx) => retryDeliveries(tx, recordJobs(), { accountId, orderId }))
  expect(await retry()).toBe(1)
  expect(await untried()).toEqual(['pending'])
  await db.execute('DELETE FROM access.suppression')
  expect(await retry()).toBe(2)
})

test('what was recalled since its import was undone is sent again where its order is named, not with all else of its destination', async () => {
  const { db } = database
  const { accountId, orderId, destinationId, untried } = await accountWithRecords('e')
  for (const table of ['record', 'delivery'])
    await db.execute(
      `UPDATE deliver.${table === 'record' ? 'record' : 'delivery'} SET state = 'rejected', last_error = '{"code": "RECALLED"}'
       WHERE destination_id = $1 AND state IN ('rejected', 'acknowledged') AND last_error IS NULL`,
      [destinationId],
    )
  await db.execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1 AND position = 5', [orderId])
  const retry = (selection: object) =>
    db.transaction((tx) => retryDeliveries(tx, recordJobs(), { accountId, ...selection }))
  const resend = (selection: object) =>
    db.transaction((tx) => resendWithin(tx, recordJobs(), { destinationId, ...selection }))
  expect([await retry({}), await retry({ destinationId }), await resend({})]).toEqual([1, 1, 1])
  expect(await untried()).toEqual(['pending'])
  expect(await resend({ record: gstLead(0).externalId })).toBe(1)
  expect(await untried()).toEqual(['rejected', 'pending'])
  expect(await retry({ orderId })).toBe(3)
  expect(await untried()).toEqual(['rejected', 'pending', 'acknowledged'])
})
