/**
 * A payment that went back stops what it paid for: rows that a CRM has not got yet, rows that were shown, credits for rows that were
 * bad, and rows that could be reached later. What other money paid for goes on.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { processorOfJobs } from '../../../jobs/reconcile-payments.ts'
import { suspendAccount, unsuspendAccount } from '../../../src/access/accounts.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { releaseLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { dueSql } from '../../../src/deliver/push/wake.ts'
import { claimLeads, takeOver } from '../../../src/deliver/record/ledger.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { decideDispute } from '../../../src/orders/disputes.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { listEvents } from '../../../src/orders/payments/payment-events.ts'
import type { DisputeState } from '../../../src/orders/payments/processor.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { readEvidence } from '../../../src/orders/payments/read-evidence.ts'
import { eventOriginOf, receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import {
  type LoggedIn,
  newCustomer,
  operatorToken,
  recordJobs,
  secretKey,
  type TestApi,
  useApi,
} from '../../support/api.ts'
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
const isDue = async (destinationId: string) =>
  (await database.db.query<{ destinationId: string }>(dueSql, ['deliver-leads'])).some(
    (due) => due.destinationId === destinationId,
  )
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

test('a buyer is told what the account owes, as operators are, until it is paid another way', async () => {
  const told = async () => (await world.call('GET', '/api/users/me', customer)).json().owed
  const paymentId = await buyPack()
  await order(1, 2)
  expect(await told()).toBe(0)
  await world.box.chargeBack(paymentId)
  const { data } = (await api.get('/admin/debts', operatorToken)).json()
  const debt = data.find(({ user_id: id }: { user_id: string }) => id === customer.accountId)
  expect(debt.owed).toBeGreaterThan(0)
  expect(await told()).toBe(debt.owed)
  const other = await newCustomer(api, database)
  expect((await world.call('GET', '/api/users/me', other)).json().owed).toBe(0)
  const settle = { reference: 'bank-117', reason: 'paid by bank transfer' }
  await api.post(`/admin/users/${customer.accountId}/debt/collect`, operatorToken, settle)
  expect(await told()).toBe(0)
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

test('an order whose money was refunded says so wherever something more is asked of it', async () => {
  const items = [1, unreachable].map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const placed = await world.call('POST', '/api/orders/normal', customer, {
    ...{ orderName: 'x', paymentOption: 'online', items },
  })
  const { _id: orderId, payment } = placed.json()
  const reclaim = () => world.call('POST', `/api/orders/${orderId}/reclaim`, customer)
  expect((await reclaim()).json().detail).toBe(
    'Only a paid order can be reclaimed; the payment of this one is pending.',
  )
  const paid = await world.box.pay(payment.id)
  await world.refund(paid?.id ?? '')
  const wasRefunded = 'The money for this order was refunded'
  expect((await reclaim()).json().detail).toBe(`${wasRefunded}; order its records again.`)
  await expect(giveBack(orderId)).rejects.toMatchObject({ message: expect.stringContaining(wasRefunded) })
  expect(await world.violations()).toEqual([])
})

test('an order whose money was refunded has no lead left, in either shape, in a file, or in the list for CRMs', async () => {
  await insertGst(database.db, gstinOf(10))
  const items = [1, 2, 10].map((serial) => ({ type: 'gst', name: 'Bought once', number: gstinOf(serial) }))
  const placed = await world.call('POST', '/api/orders/normal', customer, {
    ...{ orderName: 'x', paymentOption: 'online', items },
  })
  const { _id: orderId, payment } = placed.json()
  const listed = async () => {
    const { data } = (await world.call('GET', '/api/crm/orders', customer)).json()
    return data.find((each: { order_id: string }) => each.order_id === orderId).total
  }
  expect([await shown(orderId), await listed()]).toEqual([3, 3])
  const paid = await world.box.pay(payment.id)
  expect([await shown(orderId), await listed()]).toEqual([2, 2])
  await world.refund(paid?.id ?? '')
  expect([await shown(orderId), await listed()]).toEqual([0, 0])
  for (const path of ['orders/:id/export', 'orders/:id/export?format=csv', 'crm/orders/:id/leads?format=nested']) {
    const answer = await world.call('GET', `/api/${path.replace(':id', orderId)}`, customer)
    expect([path, answer.statusCode, answer.body.includes('Bought once')]).toEqual([path, 200, false])
  }
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

const stateOf = async (paymentId: string) => {
  const [row] = await database.db.query<{ state: string; held: boolean; respond: boolean }>(
    `SELECT state, suspended_at IS NOT NULL AS held, respond_by > now() AS respond
     FROM orders.payment_dispute CROSS JOIN access.account WHERE payment_id = $1 AND account_id = $2`,
    [paymentId, customer.accountId],
  )
  return [row?.state, row?.held]
}
const tell = (paymentId: string, name: DisputeState, hold: 'opened' | 'lost' | 'off', taken = 118_000) =>
  receiveEvent(
    database.as('panji_api'),
    recordJobs(),
    { provider: 'razorpay', seller: world.settings.seller, source: 'webhook', disputeHold: hold },
    {
      ...{ name, kind: 'disputed' },
      dispute: {
        disputeId: `disp_${paymentId}`,
        paymentId,
        state: name,
        amount: 118_000,
        deducted: taken,
        currency: 'INR',
      },
    },
  )
const open = async (paymentId: string) =>
  (await listEvents(database.db, { open: true, search: paymentId, page: 1, limit: 10 })).events.map(
    ({ outcome }) => outcome,
  )

test('a dispute that is opened waits for an operator, and one that is won does no more; no money moves', async () => {
  const paymentId = await buyPack()
  const orderId = await order(5)
  await world.box.dispute(paymentId, 'created')
  expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['open', false], ['disputed']])
  await world.box.dispute(paymentId, 'won')
  expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['won', false], []])
  // Told late, and again.
  await world.box.dispute(paymentId, 'created')
  await world.box.dispute(paymentId, 'won')
  expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['won', false], []])
  expect([await shown(orderId), await credits()]).toEqual([1, 99])
  expect(await world.violations()).toEqual([])
})

test('a dispute that is lost in part takes that part, and waits for an operator; told otherwise afterwards it is parked until somebody saw to it', async () => {
  const paymentId = await buyPack()
  await world.box.dispute(paymentId, 'created')
  await world.box.dispute(paymentId, 'lost', 29_500)
  expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['lost', false], ['charged_back']])
  expect(await credits()).toBe(75)
  await world.box.dispute(paymentId, 'lost', 29_500)
  expect(await credits()).toBe(75)
  await world.box.dispute(paymentId, 'won')
  expect(await open(paymentId)).toEqual(['mismatch', 'charged_back'])
  // The earlier notices come again: what was booked is known, and what waits goes on waiting.
  await world.box.dispute(paymentId, 'lost', 29_500)
  await world.box.dispute(paymentId, 'created')
  expect(await open(paymentId)).toEqual(['mismatch', 'charged_back'])
  await world.box.dispute(paymentId, 'lost', 59_000)
  expect([await open(paymentId), await credits()]).toEqual([['mismatch', 'mismatch', 'charged_back'], 75])
  await world.box.dispute(paymentId, 'lost', 29_500)
  expect(await open(paymentId)).toEqual(['mismatch', 'mismatch', 'charged_back'])
  expect(world.box.notices().map(({ status }) => status)).not.toContain(409)
  expect(await world.violations()).toEqual([])
})

describe('what was told of a payment before the payment itself', () => {
  const asked = () => razorpay({ ...world.settings, disputeHold: 'lost' })

  /** A pack whose payment nobody told of, while a refund and a loss were told, each of them twice. */
  async function reportedEarly(): Promise<{ paymentId: string; purchaseId: string; paymentOrderId: string }> {
    const { purchase_id: purchaseId, payment } = (
      await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })
    ).json()
    world.box.addFault({ kind: 'webhook_lost' })
    const paymentId = (await world.box.pay(payment.id))?.id ?? ''
    await world.box.dispute(paymentId, 'created')
    await world.refund(paymentId, 11_800)
    for (const again of [29_500, 29_500]) await world.box.dispute(paymentId, 'lost', again)
    expect(await open(paymentId)).toEqual(Array.from({ length: 4 }, () => 'unknown_order'))
    return { paymentId, purchaseId, paymentOrderId: payment.id }
  }

  test('is booked with it, and waits for nobody as unknown', async () => {
    const { paymentId, paymentOrderId } = await reportedEarly()
    const processor = asked()
    const eventOrigin = { ...eventOriginOf(processor), source: 'webhook' as const }
    for (const payment of await processor.listPaymentsFor(paymentOrderId)) {
      const event = { name: 'payment.captured', kind: 'paid' as const, payment }
      await receiveEvent(database.as('panji_api'), recordJobs(), eventOrigin, event)
    }
    expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['lost', true], ['charged_back']])
    expect(await credits()).toBe(65)
    // Told and asked again, it changes nothing.
    await world.box.dispute(paymentId, 'lost', 29_500)
    await world.reconcile(paymentId)
    expect([await open(paymentId), await credits()]).toEqual([['charged_back'], 65])
    expect(await world.violations()).toEqual([])
  })

  test('is booked when an operator asks for it, where a job found the payment, which suspends no account', async () => {
    const { paymentId, purchaseId } = await reportedEarly()
    const parts = { processor: asked(), queue: recordJobs() }
    const job = processorOfJobs(parts.processor)
    for (const only of [purchaseId, paymentId]) {
      await reconcilePayments({ ...parts, processor: job, db: database.as('panji_trade') }, only)
    }
    expect(await open(paymentId)).toEqual(['unknown_order', 'unknown_order', 'unknown_order'])
    expect(await credits()).toBe(90)
    await reconcilePayments({ ...parts, db: database.db }, paymentId)
    expect([await stateOf(paymentId), await open(paymentId)]).toEqual([['lost', true], ['charged_back']])
    expect(await credits()).toBe(65)
    expect(await world.violations()).toEqual([])
  })
})

test('by a setting the account is on hold from the opened dispute on until it is won, or from the lost one on', async () => {
  const { destination_id: destinationId } = await addCrm()
  const [first, second] = [await buyPack(), await buyPack()]
  const orderId = await order(6, 7)
  expect(await deliverBuiltOrder(database.db, recordJobs(), orderId)).toHaveLength(1)
  expect(await tell(first, 'open', 'lost')).toMatchObject({ outcome: 'disputed' })
  expect(await stateOf(first)).toEqual(['open', false])
  expect(await tell(first, 'open', 'opened')).toMatchObject({ outcome: 'known' })
  expect(await tell(second, 'open', 'opened')).toMatchObject({ outcome: 'disputed' })
  expect(await stateOf(second)).toEqual(['open', true])
  expect(await isDue(destinationId)).toBe(false)
  expect(await tell(second, 'won', 'opened')).toMatchObject({ outcome: 'dispute_ended' })
  expect(await stateOf(second)).toEqual(['won', false])
  expect(await tell(first, 'lost', 'lost')).toMatchObject({ outcome: 'charged_back' })
  expect(await stateOf(first)).toEqual(['lost', true])
  expect(await world.violations()).toEqual([])
})

test('of two open disputes the account stays on hold until the last one is won, and one that an operator let go holds no more', async () => {
  const [first, second, third] = [await buyPack(), await buyPack(), await buyPack()]
  for (const payment of [first, second]) await tell(payment, 'open', 'opened')
  await tell(first, 'won', 'opened')
  expect([await stateOf(first), await stateOf(second)]).toEqual([
    ['won', true],
    ['open', true],
  ])
  await database.db.transaction((tx) => unsuspendAccount(tx, customer.accountId))
  await tell(third, 'open', 'opened')
  expect(await stateOf(third)).toEqual(['open', true])
  await tell(third, 'won', 'opened')
  expect([await stateOf(third), await stateOf(second)]).toEqual([
    ['won', false],
    ['open', false],
  ])
})

test('whoever an operator suspended stays so when a dispute is won', async () => {
  const paymentId = await buyPack()
  await database.db.transaction((tx) => suspendAccount(tx, customer.accountId, 'something else'))
  await tell(paymentId, 'open', 'opened')
  await tell(paymentId, 'won', 'opened')
  expect(await stateOf(paymentId)).toEqual(['won', true])
})

test('so does whoever an operator suspended while a dispute held the account, with or without a reason', async () => {
  for (const reason of ['something else', undefined]) {
    customer = await newCustomer(api, database)
    const paymentId = await buyPack()
    await tell(paymentId, 'open', 'opened')
    const suspended = await database.db.transaction((tx) => suspendAccount(tx, customer.accountId, reason))
    await tell(paymentId, 'won', 'opened')
    expect(await stateOf(paymentId)).toEqual(['won', true])
    expect(suspended.suspendedReason).toBe(reason ?? null)
  }
})

test('the evidence of a payment is one document: order, documents, deliveries, sign-ins and what was read', async () => {
  await addCrm()
  const paymentId = await buyPack()
  const orderId = await order(1, 2)
  await deliverBuiltOrder(database.db, recordJobs(), orderId)
  await world.box.dispute(paymentId, 'created')
  const disputeId = paymentId.replace('pay_', 'disp_')
  const evidence = await readEvidence(database.db, disputeId, 'operator')
  expect(evidence).toMatchObject({
    payment: { payment_id: paymentId, amount: 118_000, product: 'credits-100' },
    account: { user_id: customer.accountId },
    disputes: [{ dispute_id: disputeId, state: 'open', reason: 'goods_or_services_not_received' }],
    money_back: [],
    documents: [{ number: expect.stringMatching(/^PI-/), total: 118_000 }],
    orders: [
      {
        order_id: orderId,
        items: [
          { index: 0, number: gstinOf(1) },
          { index: 1, number: gstinOf(2) },
        ],
      },
    ],
    deliveries: [{ order_id: orderId, crm: 'hubspot' }, { order_id: orderId }],
    sign_ins: [{ at: expect.any(String) }],
  })
  expect(JSON.stringify(evidence)).not.toContain('refresh')
  await expect(readEvidence(database.db, 'pay_none', 'operator')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
