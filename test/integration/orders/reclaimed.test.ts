/** Rows whose contact came after their order: what they cost, and what counts from the day on which they were reclaimed. */
import { beforeEach, expect, test } from 'vitest'
import { lowCredits } from '../../../config/sales.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addCredits, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
/** Serials of this test: the first can be reached, the others cannot yet. */
let one = 0

beforeEach(async () => {
  await resetLimits(database.db)
  customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 20)
  one += 10
  for (let serial = one; serial < one + 4; serial++) await insertGst(database.db, gstinOf(serial), { status: 'Active' })
  await contactOf(one)
})

const contactOf = (serial: number) =>
  insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
const balance = () => creditBalance(database.db, customer.accountId)
const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
const details = async (orderId: string) => (await api.get(`/api/orders/${orderId}`, customer.token)).json()
const reclaim = (orderId: string) => api.post(`/api/orders/${orderId}/reclaim`, customer.token)
const report = (orderId: string, index: number) =>
  api.post(`/api/orders/${orderId}/items/${index}/dispute`, customer.token, { reason: 'rings at a bakery' })

async function order(...serials: number[]): Promise<string> {
  const items = serials.map((serial) => ({ type: 'gst', name: `Taxpayer ${serial}`, number: gstinOf(serial) }))
  const body = { orderName: 'Pilot', paymentOption: 'credits', items }
  const reply = await api.post('/api/orders/normal', customer.token, body)
  expect(reply.statusCode).toBe(201)
  return reply.json()._id
}

/** As if it had been paid then. */
const paidDaysAgo = (orderId: string, days: number) =>
  database.db.execute('UPDATE orders.purchase SET paid_at = now() - make_interval(days => $2) WHERE order_id = $1', [
    orderId,
    days,
  ])

test('what nobody could be reached under is reclaimed once a contact came, charged once, and refused after 30 days', async () => {
  const orderId = await order(one, one + 1, one + 2)
  expect(await balance()).toBe(19)
  expect((await reclaim(orderId)).json()).toEqual({ order_id: orderId, credits: 0, items: [], still_unreachable: 2 })
  await contactOf(one + 1)
  const replies = await Promise.all([reclaim(orderId), reclaim(orderId), reclaim(orderId)])
  expect(replies.map((reply) => reply.json().credits).sort()).toEqual([0, 0, 1])
  expect(replies.flatMap((reply) => reply.json().items)).toEqual([
    { index: 1, type: 'gst', number: gstinOf(one + 1), name: `Taxpayer ${one + 1}` },
  ])
  expect(await balance()).toBe(18)
  expect(await details(orderId)).toMatchObject({
    refunded_amount: 1,
    reachable: 2,
    items: [
      { refunded: false },
      { refunded: false, has_contact: true },
      { refunded: true, refund_reason: 'no_contact' },
    ],
  })
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  expect((await api.get(`/api/crm/orders/${orderId}/leads`, customer.token)).json().total).toBe(2)
  // Its second charge is refunded like the first.
  expect(
    (await api.post(`/admin/orders/${orderId}/refund`, operatorToken, { items: [1], reason: 'wrong' })).json(),
  ).toEqual({
    ...{ order_id: orderId, refunded: 1, credits: 1, money_back: 0, items: [1] },
  })
  await proved()
  await paidDaysAgo(orderId, 31)
  expect((await reclaim(orderId)).json().error_code).toBe('CONFLICT')
})

test('a row that was reclaimed is owned, and can be reported, for 30 days from then on', async () => {
  const orderId = await order(one, one + 1)
  await contactOf(one + 1)
  await paidDaysAgo(orderId, 29)
  expect((await reclaim(orderId)).json()).toMatchObject({ credits: 1 })
  await paidDaysAgo(orderId, 31)
  expect(await balance()).toBe(18)
  expect(await details(await order(one + 1))).toMatchObject({ total_amount: 0, items: [{ already_owned: true }] })
  const query = `GSTIN == '${gstinOf(one + 1)}' AND owned == 'Yes'`
  const found = await api.post('/api/screener/search', customer.token, { type: 'gst', query })
  expect(found.json()).toMatchObject({ total: 1 })
  expect(await balance()).toBe(18)
  expect((await details(orderId)).items).toMatchObject([{ may_be_reported: false }, { may_be_reported: true }])
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  const contacts = await api.get(`/api/crm/contacts?type=gst&identifier=${gstinOf(one + 1)}`, customer.token)
  const { order_id, bought_at } = contacts.json()
  expect(order_id).toBe(orderId)
  expect(Date.parse(bought_at)).toBeGreaterThan(Date.now() - 86_400_000)
  expect((await report(orderId, 0)).json()).toMatchObject({ error_code: 'CONFLICT' })
  expect((await report(orderId, 1)).statusCode).toBe(201)
  expect((await details(orderId)).items[1]).toMatchObject({ dispute: 'open', may_be_reported: false })
  await database.db.execute(
    `UPDATE orders.item SET reclaimed_at = reclaimed_at - interval '31 days' WHERE order_id = $1`,
    [orderId],
  )
  expect((await report(orderId, 1)).json().detail).toContain('within 30 days')
  await proved()
})

test('what is still unreachable are the rows without a contact, and none that another order brought', async () => {
  const orderId = await order(one + 1, one + 2)
  await contactOf(one + 1)
  await order(one + 1)
  expect((await reclaim(orderId)).json()).toEqual({ order_id: orderId, credits: 0, items: [], still_unreachable: 1 })
  await proved()
})

test('an account is notified that its credits run low when a late contact takes them below the threshold', async () => {
  const orderId = await order(one + 1, one + 2)
  expect(await balance()).toBe(lowCredits)
  await contactOf(one + 1)
  await contactOf(one + 2)
  const mails = () =>
    database.db.query("SELECT data FROM deliver.mail WHERE account_id = $1 AND type = 'credits.low'", [
      customer.accountId,
    ])
  expect(await mails()).toEqual([])
  await reclaim(orderId)
  expect(await mails()).toEqual([{ data: { balance: lowCredits - 2, below: lowCredits } }])
})
