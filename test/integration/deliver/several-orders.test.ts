/** A record that several orders of an account hold, of which one is taken back. No CRM is behind the destination. */
import { expect, test } from 'vitest'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { claimLeads, recordOutcomes, takeOver } from '../../../src/deliver/record/ledger.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertPush, owedOrder } from './owed-order.ts'
import { insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const db = () => database.db

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
/** The next holder sends what is due. @returns the companies of the sent leads. */
const deliver = async (destinationId: string) => {
  await db().execute('UPDATE deliver.destination SET leased_to = NULL, leased_until = NULL')
  const lease = await leaseOf(destinationId)
  await takeOver(db(), lease)
  const leads = await claimLeads(db(), lease, 10)
  await recordOutcomes(
    db(),
    lease,
    leads,
    leads.map(({ externalId }) => ({ status: 'created', crmId: externalId, values: {} })),
  )
  return leads.map(({ row }) => row['Company'])
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
