/** A record that several orders of an account hold, of which one is taken back. No CRM is behind the destination. */
import { expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { sqlFile } from '../../../src/db/sql-file.ts'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { claimLeads, recordOutcomes, takeOver } from '../../../src/deliver/record/ledger.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertDestination, insertPush, owedOrder } from './owed-order.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const db = () => database.db
const planLeads = sqlFile(import.meta.url, '../../../src/deliver/plan/plan-leads.sql')
const recallSettle = sqlFile(import.meta.url, '../../../src/deliver/recall/recall-settle.sql')
const refused: PushOutcome = { status: 'rejected', code: 'NO', field: null, message: 'no' }

const pushTo = async (destinationId: string, orderId: string) => {
  const pushId = await insertPush(db(), orderId, destinationId)
  await db().transaction((tx) => enqueuePush(tx, { pushId, orderId, destinationId }))
}
const withdraw = (orderId: string) =>
  db().execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1', [orderId])
const leaseOf = async (destinationId: string) => {
  const lease = await takeLease(db(), destinationId)
  if (!lease) throw new Error('somebody else holds the destination')
  return lease
}
const deliveryOf = async (orderId: string) =>
  (
    await db().query<{ state: string; outcome: string | null; code: string | null }>(
      `SELECT state, outcome, last_error ->> 'code' AS code FROM deliver.delivery WHERE order_id = $1`,
      [orderId],
    )
  )[0]
/** The next holder claims what is due. */
const claim = async (destinationId: string) => {
  await db().execute('UPDATE deliver.destination SET leased_to = NULL, leased_until = NULL')
  const lease = await leaseOf(destinationId)
  await takeOver(db(), lease)
  return { lease, leads: await claimLeads(db(), lease, 10) }
}
const answer = ({ lease, leads }: Awaited<ReturnType<typeof claim>>, outcome?: PushOutcome) =>
  recordOutcomes(
    db(),
    lease,
    leads,
    leads.map(({ externalId }) => outcome ?? { status: 'created', crmId: externalId, values: {} }),
  )
/** The next holder sends what is due. @returns the companies of the sent leads. */
const deliver = async (destinationId: string, outcome?: PushOutcome) => {
  const claimed = await claim(destinationId)
  await answer(claimed, outcome)
  return claimed.leads.map(({ row }) => row['Company'])
}
/** What a plan of the order says of its only lead: the company that is sent, or null if it is not sent again. */
const planned = async (destinationId: string, orderId: string) => {
  const [lead] = await db().query<{ row: { Company: string }; held: boolean }>(planLeads, [destinationId, orderId])
  return lead?.held === false ? lead.row.Company : null
}
const recordsOf = (destinationId: string) =>
  db().query<{ state: string }>('SELECT state FROM deliver.record WHERE destination_id = $1', [destinationId])
/** The import that brought them is undone, and the CRM has erased them. */
const recall = async (destinationId: string, externalId: string) => {
  await db().execute(`INSERT INTO deliver.recall (destination_id, external_id, reason) VALUES ($1, $2, 'undone')`, [
    destinationId,
    externalId,
  ])
  await db().query(recallSettle, [destinationId, [externalId], '{}', []])
}
/** An account with a destination, and orders of one record, oldest first. */
const ordersOf = async (...companies: string[]) => {
  const accountId = await insertAccount(db())
  const destinationId = await insertDestination(db(), accountId)
  const orders: string[] = []
  for (const Company of companies) orders.push(await insertOrder(db(), accountId, [gstLead(0, { Company })]))
  const [first = '', second = ''] = orders
  return { destinationId, record: gstLead(0).externalId, first, second }
}

test('a waiting record whose newest order is taken back is delivered for the newest order that is still paid', async () => {
  const { accountId, orderId: oldest, destinationId } = await owedOrder(db(), 1)
  const [older, newest] = [
    await insertOrder(db(), accountId, [gstLead(0, { Company: 'OLDER' })]),
    await insertOrder(db(), accountId, [gstLead(0, { Company: 'NEWEST' })]),
  ]
  for (const orderId of [older, newest]) await pushTo(destinationId, orderId)
  await withdraw(newest)
  expect(await deliver(destinationId)).toEqual(['OLDER'])
  expect(await deliveryOf(newest)).toEqual({ state: 'rejected', outcome: null, code: 'WITHDRAWN' })
  expect(await deliveryOf(older)).toMatchObject({ state: 'acknowledged', outcome: 'created' })
  expect(await deliveryOf(oldest)).toMatchObject({ state: 'acknowledged', outcome: 'unchanged' })
})

test('a record that was withdrawn with its order is delivered for an older order that is pushed later', async () => {
  const { accountId, orderId: other, destinationId } = await owedOrder(db(), 1)
  const older = await insertOrder(db(), accountId, [gstLead(1, { Company: 'OLDER' })])
  const newest = await insertOrder(db(), accountId, [gstLead(1, { Company: 'NEWEST' })])
  await pushTo(destinationId, newest)
  await withdraw(newest)
  await deliver(destinationId)
  expect(await deliveryOf(newest)).toMatchObject({ state: 'rejected', code: 'WITHDRAWN' })
  await pushTo(destinationId, older)
  expect(await deliver(destinationId)).toEqual(['OLDER'])
  expect(await deliveryOf(older)).toMatchObject({ state: 'acknowledged', outcome: 'created' })
  expect(await deliveryOf(newest)).toMatchObject({ state: 'rejected', code: 'WITHDRAWN' })
  expect(await deliveryOf(other)).toMatchObject({ state: 'acknowledged' })
})

test('a plan of an older order says that a newer lead is sent in its place as long as the CRM has rejected that one', async () => {
  const { destinationId, first, second } = await ordersOf('OLDER', 'NEWER')
  await pushTo(destinationId, first)
  expect(await deliver(destinationId)).toEqual(['OLDER'])
  expect(await planned(destinationId, first)).toBeNull()
  await pushTo(destinationId, second)
  expect(await deliver(destinationId, refused)).toEqual(['NEWER'])
  expect(await planned(destinationId, first)).toBe('NEWER')
  await pushTo(destinationId, first)
  expect(await deliver(destinationId)).toEqual(['NEWER'])
})

test('what was recalled is not sent again for an order that is taken back while it waits', async () => {
  const { destinationId, record, first, second } = await ordersOf('RECALLED', 'ORDERED')
  await pushTo(destinationId, first)
  await deliver(destinationId)
  await recall(destinationId, record)
  await pushTo(destinationId, second)
  await withdraw(second)
  expect(await deliver(destinationId)).toEqual([])
  expect(await deliveryOf(first)).toMatchObject({ state: 'rejected', code: 'RECALLED' })
  expect(await deliveryOf(second)).toMatchObject({ state: 'rejected', code: 'WITHDRAWN' })
})

test('an older order that is pushed after a newer lead was recalled delivers its own lead', async () => {
  const { destinationId, record, first, second } = await ordersOf('OLDER', 'RECALLED')
  await pushTo(destinationId, second)
  await deliver(destinationId)
  await recall(destinationId, record)
  expect(await planned(destinationId, first)).toBe('OLDER')
  await pushTo(destinationId, first)
  expect(await deliver(destinationId)).toEqual(['OLDER'])
  expect(await deliveryOf(first)).toMatchObject({ state: 'acknowledged', outcome: 'created' })
})

test('a refreshed record keeps its newer values when the order that it waits for is taken back', async () => {
  const { destinationId, first, second } = await ordersOf('OLDER', 'NEWER')
  await pushTo(destinationId, first)
  await pushTo(destinationId, second)
  await deliver(destinationId)
  // As a destination that keeps its records fresh is refreshed.
  await db().execute(
    `UPDATE deliver.record SET state = 'pending', version = clock_timestamp(), reading = '{"Company": "FRESH"}',
       desired_sha256 = sha256(convert_to('{"Company": "FRESH"}'::jsonb::text, 'UTF8')) WHERE destination_id = $1`,
    [destinationId],
  )
  await withdraw(second)
  expect(await planned(destinationId, first)).toBe('FRESH')
  expect(await deliver(destinationId)).toEqual(['FRESH'])
  expect(await recordsOf(destinationId)).toEqual([{ state: 'acknowledged' }])
  expect(await planned(destinationId, first)).toBeNull()
})

test('a record that was never sent for the order that is taken back is sent with its newer values, and not reported for that order', async () => {
  const { destinationId, first, second } = await ordersOf('OLDER', 'NEWER')
  await pushTo(destinationId, first)
  await pushTo(destinationId, second)
  await db().execute(
    `UPDATE deliver.record SET version = clock_timestamp(), reading = '{"Company": "FRESH"}' WHERE destination_id = $1`,
    [destinationId],
  )
  await withdraw(second)
  expect(await deliver(destinationId)).toEqual(['FRESH'])
  expect(await deliveryOf(first)).toMatchObject({ state: 'acknowledged' })
  expect(await deliveryOf(second)).toEqual({ state: 'rejected', outcome: null, code: 'WITHDRAWN' })
})

test('a record that is on its way while a mapping is saved goes again with it, whatever is pushed meanwhile', async () => {
  const { destinationId, first } = await ordersOf('ORDERED')
  await pushTo(destinationId, first)
  const claimed = await claim(destinationId)
  await db().execute(`UPDATE deliver.record SET desired_sha256 = '' WHERE destination_id = $1`, [destinationId])
  await pushTo(destinationId, first)
  await answer(claimed)
  expect(await recordsOf(destinationId)).toEqual([{ state: 'pending' }])
})

test('a push of another order of a record does not cancel a resend that waits', async () => {
  const { destinationId, first, second } = await ordersOf('OLDER', 'NEWER')
  for (const orderId of [first, second]) {
    await pushTo(destinationId, orderId)
    await deliver(destinationId)
  }
  expect(await planned(destinationId, second)).toBeNull()
  await db().transaction((tx) => resendWithin(tx, recordJobs(), { destinationId }))
  expect(await planned(destinationId, first)).toBe('NEWER')
  await pushTo(destinationId, first)
  expect(await deliver(destinationId)).toEqual(['NEWER'])
})
