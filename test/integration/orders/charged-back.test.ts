/**
 * A payment that went back stops what it paid for: rows that a CRM has not got yet, rows that were shown, credits for rows that were
 * bad, and rows that could be reached later. What other money paid for goes on.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { deliverBuiltOrder } from '../../../src/deliver/automatic.ts'
import { addDestination } from '../../../src/deliver/destinations.ts'
import { releaseLease, takeLease } from '../../../src/deliver/lease.ts'
import { claimLeads, takeOver } from '../../../src/deliver/ledger/ledger.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { decideDispute } from '../../../src/orders/disputes.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { type LoggedIn, newCustomer, recordJobs, secretKey, type TestApi, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
const unreachable = 9
let customer: LoggedIn

beforeAll(async () => {
  for (let serial = 1; serial <= unreachable; serial++) {
    await insertGst(database.db, gstinOf(serial))
    if (serial < unreachable)
      await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})
beforeEach(async () => {
  customer = await newCustomer(api, database)
})

async function buyPack(): Promise<string> {
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  return (await world.box.pay(payment.id))?.id ?? ''
}
async function order(...serials: number[]): Promise<string> {
  const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const reply = await world.call('POST', '/api/orders/normal', customer, {
    ...{ orderName: 'x', paymentOption: 'credits', items },
  })
  expect(reply.statusCode).toBe(201)
  const { _id: orderId } = reply.json()
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  return orderId
}
const addCrm = () =>
  addDestination(database.db, connectors, secretKey, {
    ...{ accountId: customer.accountId, connector: 'hubspot', name: 'mine' },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
/** How many rows would go out now. */
async function dueRows(destinationId: string): Promise<number> {
  const lease = await takeLease(database.db, destinationId)
  if (!lease) throw new Error('nobody else holds it')
  await takeOver(database.db, lease)
  const leads = await claimLeads(database.db, lease, 50)
  await releaseLease(database.db, lease)
  return leads.length
}
const shown = async (orderId: string) =>
  ((await world.call('GET', `/api/crm/orders/${orderId}/leads`, customer)).json().leads ?? []).length
const credits = () => creditBalance(database.db, customer.accountId)
const giveBack = (orderId: string) =>
  database.db.transaction((tx) => refundOrder(tx, { orderId, reason: 'bad rows', actor: 'operator' }))
const report = (orderId: string, index: number) =>
  world.call('POST', `/api/orders/${orderId}/items/${index}/dispute`, customer, { reason: 'bounces' })

test('of a pack that was charged back nothing that is held goes out any more, and no credit is left of it', async () => {
  const { destination_id: destinationId } = await addCrm()
  const paymentId = await buyPack()
  const orderId = await order(1, 2, 3)
  expect(await deliverBuiltOrder(database.db, recordJobs(), orderId)).toHaveLength(1)
  await world.box.chargeBack(paymentId)
  expect(await dueRows(destinationId)).toBe(0)
  expect([await shown(orderId), await credits()]).toEqual([0, 0])
  await expect(giveBack(orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await credits()).toBe(0)
  expect(await world.violations()).toEqual([])
})

test('of what was spent no refund, accepted report or late contact brings a credit', async () => {
  const paymentId = await buyPack()
  const orderId = await order(1, 2, unreachable)
  const { dispute_id: disputeId } = (await report(orderId, 0)).json()
  await world.box.chargeBack(paymentId)
  await expect(giveBack(orderId)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('money') })
  expect((await report(orderId, 1)).json()).toMatchObject({ error_code: 'CONFLICT' })
  await database.db.transaction((tx) =>
    decideDispute(tx, { disputeId, accept: true, note: 'it does bounce', actor: 'operator' }),
  )
  // What can be reached since is not delivered for nothing, nor for credits that another payment brought.
  await buyPack()
  await insertContact(database.db, 'gst', gstinOf(unreachable), { email: 'late@example.in' })
  const late = await world.call('POST', `/api/orders/${orderId}/reclaim`, customer)
  expect([late.statusCode, late.json().error_code]).toEqual([409, 'CONFLICT'])
  expect([await shown(orderId), await credits()]).toEqual([0, 100])
  expect(await world.violations()).toEqual([])
})

test('what another pack paid for goes on, and what was charged back may be bought again', async () => {
  const [first, second] = [await buyPack(), await buyPack()]
  const [kept] = await database.db.query<{ sale: string }>(
    `SELECT sale FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
     WHERE owner_id = $1 AND type = 'purchased' ORDER BY ends_at, lot_id OFFSET 1 LIMIT 1`,
    [customer.accountId],
  )
  expect(kept?.sale).toContain(second)
  const orderId = await order(4)
  await world.box.chargeBack(second)
  expect([await shown(orderId), await credits()]).toEqual([1, 99])
  await world.box.chargeBack(first)
  expect([await shown(orderId), await credits()]).toEqual([0, 0])
  await buyPack()
  expect([await shown(await order(4)), await credits()]).toEqual([1, 99])
  expect(await world.violations()).toEqual([])
})

test('a part that went back takes what is left first, and then rows that no CRM has got, the newest first', async () => {
  const { destination_id: destinationId } = await addCrm()
  const paymentId = await buyPack()
  await database.db.query(
    `SELECT ledger.revoke_from_lot($1::uuid, lot_id, 94, 'test:' || lot_id, 'test', 'so that few are left')
     FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1::uuid`,
    [customer.accountId],
  )
  const orderId = await order(1, 2, 3, 4, 5)
  expect(await deliverBuiltOrder(database.db, recordJobs(), orderId)).toHaveLength(1)
  // Three credits of a hundred: one is left, two are held for the last rows.
  await world.refund(paymentId, 3_540)
  const { items } = (await world.call('GET', `/api/orders/${orderId}`, customer)).json()
  expect(items.map(({ refund_reason: reason }: { refund_reason: string | null }) => reason)).toEqual([
    ...[null, null, null],
    ...['money_back', 'money_back'],
  ])
  expect([await dueRows(destinationId), await credits()]).toEqual([3, 0])
  expect(await world.violations()).toEqual([])
})
