/**
 * Goods and their money stay together: what came without a charge goes with the charge that it came by, what the money went
 * back for is shown and delivered nowhere, and nothing is paid for twice.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { claimLeads, takeOver } from '../../../src/deliver/record/ledger.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { type LoggedIn, newCustomer, operatorToken, recordJobs, secretKey, useApi } from '../../support/api.ts'
import { addCredits, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
const world = usePaymentWorld(database)
let customer: LoggedIn

beforeAll(async () => {
  for (const serial of [1, 2, 3, 4]) {
    await insertGst(database.db, gstinOf(serial), { state: 'Goa', status: 'Active' })
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})
beforeEach(async () => {
  await resetLimits(database.db)
  customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 10)
})

async function order(paymentOption: 'credits' | 'online', ...serials: number[]) {
  const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const reply = await world.call('POST', '/api/orders/normal', customer, { orderName: 'n', paymentOption, items })
  expect(reply.statusCode).toBe(201)
  const { _id: id, payment } = reply.json()
  return { id: String(id), paymentOrder: String(payment?.id) }
}
async function paid(...serials: number[]) {
  const { id, paymentOrder } = await order('online', ...serials)
  const payment = await world.box.pay(paymentOrder)
  return { id, paymentId: payment?.id ?? '' }
}
const details = async (id: string) => (await world.call('GET', `/api/orders/${id}`, customer)).json()
/** Every way in which the goods of an order leave to its buyer. */
async function shown(id: string): Promise<string[]> {
  const answers = await Promise.all(
    [
      'crm/orders/:id/leads',
      'crm/orders/:id/leads?format=nested',
      'orders/:id/export',
      'orders/:id/export?format=csv',
    ].map((path) => world.call('GET', `/api/${path.replace(':id', id)}`, customer)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const told = answers.map(({ body }) => [...new Set(body.match(/gst\d@example\.in/g))].sort())
  expect(new Set(told.map(String)).size).toBe(1)
  return told[0] ?? []
}
const refund = (id: string, items?: readonly number[]) =>
  api.post(`/admin/orders/${id}/refund`, operatorToken, { reason: 'wrong', ...(items ? { items } : {}) })
const balance = () => creditBalance(database.db, customer.accountId)
const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

test('a copy that came without a charge goes with the charge: given back, reported, or charged back', async () => {
  const first = await order('credits', 1, 2)
  const copy = await order('credits', 1, 2, 3)
  expect([await shown(copy.id), await balance()]).toEqual([
    ['gst1@example.in', 'gst2@example.in', 'gst3@example.in'],
    7,
  ])
  await refund(first.id, [0])
  expect(await shown(copy.id)).toEqual(['gst2@example.in', 'gst3@example.in'])
  const { data } = (await world.call('GET', '/api/crm/orders', customer)).json()
  expect(data).toMatchObject([
    { order_id: copy.id, total: 2 },
    { order_id: first.id, total: 1 },
  ])
  expect((await details(copy.id)).items).toMatchObject([
    { already_owned: true, withdrawn: true, refunded: false },
    { already_owned: true, withdrawn: false },
    { already_owned: false, withdrawn: false },
  ])
  const traced: { contacts: unknown[] }[] = (await world.call('GET', `/api/orders/${copy.id}/trace`, customer)).json()
    .data
  expect(traced.map(({ contacts }) => contacts.length)).toEqual([0, 1, 1])
  const dispute = await world.call('POST', `/api/orders/${first.id}/items/1/dispute`, customer, { reason: 'bounces' })
  await api.post(`/admin/disputes/${dispute.json().dispute_id}/decide`, operatorToken, {
    decision: 'accept',
    reason: 'it does',
  })
  expect([await shown(copy.id), await balance()]).toEqual([['gst3@example.in'], 9])

  const bought = await paid(1, 2)
  const again = await order('credits', 1, 2)
  expect(await shown(again.id)).toEqual(['gst1@example.in', 'gst2@example.in'])
  await world.box.chargeBack(bought.paymentId)
  // The credits of the order are spent; those that the buyer has otherwise stay.
  expect([await shown(bought.id), await shown(again.id), await balance()]).toEqual([[], [], 9])
  // It is owned no more, so it costs again, and what was withdrawn stays so.
  await order('credits', 1)
  expect([await shown(again.id), await balance()]).toEqual([[], 8])
  await proved()
})

test('a copy stays while another charge of the account stands for it', async () => {
  const first = await order('credits', 1)
  await database.db.execute(`UPDATE orders.purchase SET paid_at = now() - interval '31 days' WHERE order_id = $1`, [
    first.id,
  ])
  await order('credits', 1)
  const copy = await order('credits', 1)
  await refund(first.id)
  expect([await shown(copy.id), await balance()]).toEqual([['gst1@example.in'], 9])
  await proved()
})

test('what an order was to bring without a charge is not brought once the charge went back before it was paid', async () => {
  const first = await order('credits', 1)
  const waiting = await order('online', 1, 2)
  await refund(first.id)
  await world.box.pay(waiting.paymentOrder)
  expect(await shown(waiting.id)).toEqual(['gst2@example.in'])
  expect(await balance()).toBe(10)
  await proved()
})

test('what another order brought while one waited for its payment is not paid for twice', async () => {
  const waiting = await order('online', 1, 2)
  const meanwhile = await order('credits', 1)
  await world.box.pay(waiting.paymentOrder)
  expect([await shown(meanwhile.id), await shown(waiting.id)]).toEqual([['gst1@example.in'], ['gst2@example.in']])
  expect((await details(waiting.id)).items[0]).toMatchObject({ refunded: true, refund_reason: 'owned' })
  expect(await balance()).toBe(10)
  await proved()
})

test('what the money went back for goes into no CRM any more, and what was only held of it is held no longer', async () => {
  const { destination_id: destinationId } = await addDestination(database.db, connectors, secretKey, {
    ...{ accountId: customer.accountId, connector: 'hubspot', name: 'mine' },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
  const bought = await paid(3, 4)
  const copy = await order('credits', 4)
  for (const { id } of [bought, copy]) {
    expect((await shown(id)).length).toBeGreaterThan(0)
    expect(await deliverBuiltOrder(database.db, recordJobs(), id)).toHaveLength(1)
  }
  await world.box.chargeBack(bought.paymentId)
  expect([await shown(bought.id), await shown(copy.id), await balance()]).toEqual([[], [], 10])
  const lease = await takeLease(database.db, destinationId)
  if (!lease) throw new Error('nobody else holds it')
  await takeOver(database.db, lease)
  expect(await claimLeads(database.db, lease, 50)).toEqual([])
  const held = await database.db.query(
    'SELECT sum(held)::integer AS held FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
    [customer.accountId],
  )
  expect(held).toEqual([{ held: 0 }])
  await proved()
})
