/**
 * A row that its buyer has read is paid for, whatever the CRM says afterwards: reading and exporting a held order spends its credits,
 * and nobody gets them back by refusing the rows in a CRM of their own.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import {
  type LoggedIn,
  newCustomer,
  operatorToken,
  recordJobs,
  secretKey,
  type TestApi,
  useApi,
} from '../../support/api.ts'
import { addCredits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
let customer: LoggedIn

beforeAll(async () => {
  for (let serial = 1; serial <= 4; serial++) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})
beforeEach(async () => {
  customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 10)
  await addDestination(database.db, connectors, secretKey, {
    ...{ accountId: customer.accountId, connector: 'hubspot', name: 'mine' },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
})

async function heldOrder(): Promise<string> {
  const items = [1, 2, 3, 4].map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const body = { orderName: 'held', paymentOption: 'credits', items }
  const { _id: orderId } = (await api.post('/api/orders/normal', customer.token, body)).json()
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  await deliverBuiltOrder(database.db, recordJobs(), orderId)
  return orderId
}
const heldOf = async (orderId: string) => {
  const [row] = await database.db.query<{ held: number }>(
    `SELECT count(*)::int AS held FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
     WHERE item.order_id = $1 AND charge.kind = 'hold' AND settled_id IS NULL AND refunded_at IS NULL`,
    [orderId],
  )
  return row?.held
}
const violations = () => database.db.query('SELECT * FROM ledger.violations()')

test.each([
  ['read as leads', (id: string) => `/api/crm/orders/${id}/leads`],
  ['read in the nested shape', (id: string) => `/api/crm/orders/${id}/leads?format=nested`],
  ['exported as JSON', (id: string) => `/api/orders/${id}/export`],
  ['exported as CSV', (id: string) => `/api/orders/${id}/export?format=csv`],
  ['exported as a workbook', (id: string) => `/api/orders/${id}/export?format=xlsx`],
] as const)(
  'rows of a held order that are %s are spent, and stay so when the CRM refuses them for good',
  async (_way, url) => {
    const orderId = await heldOrder()
    expect(await heldOf(orderId)).toBe(4)
    expect((await api.get(url(orderId), customer.token)).statusCode).toBe(200)
    expect(await heldOf(orderId)).toBe(0)
    await database.db.execute(
      `UPDATE deliver.delivery SET state = 'rejected', updated_at = now() - interval '31 days' WHERE order_id = $1`,
      [orderId],
    )
    expect(await closeLedgerDay(database.as('panji_worker'))).toMatchObject({ releasedCredits: 0 })
    expect(await creditBalance(database.db, customer.accountId)).toBe(6)
    expect(await violations()).toEqual([])
  },
)

test('rows that nobody read, and every CRM refused, are given back after their days', async () => {
  const orderId = await heldOrder()
  await database.db.execute(
    `UPDATE deliver.delivery SET state = 'rejected', updated_at = now() - interval '31 days' WHERE order_id = $1`,
    [orderId],
  )
  expect((await api.get(`/api/orders/${orderId}`, customer.token)).statusCode).toBe(200)
  expect(await closeLedgerDay(database.as('panji_worker'))).toMatchObject({ releasedCredits: 4 })
  expect(await creditBalance(database.db, customer.accountId)).toBe(10)
  expect(await violations()).toEqual([])
})

test('a lead that is answered at once is spent at once', async () => {
  const body = { entity_type: 'gst', identifier: gstinOf(1) }
  const { order_id: orderId, lead } = (await api.post('/api/crm/newlead', customer.token, body)).json()
  expect([lead !== null, await heldOf(orderId)]).toEqual([true, 0])
  expect(await violations()).toEqual([])
})

test('the contacts of a record are shown to who bought its lead, which spends what was held for it and for no other', async () => {
  const other = await newCustomer(api, database)
  const orderId = await heldOrder()
  const contacts = async ({ token }: LoggedIn, serial: number) =>
    (await api.get(`/api/crm/contacts?type=gst&identifier=${gstinOf(serial)}`, token)).json()
  const none = { owned: false, order_id: null, bought_at: null, website: null, contacts: [] }
  expect(await contacts(other, 1)).toEqual(none)
  expect(await heldOf(orderId)).toBe(4)
  expect(await contacts(customer, 1)).toMatchObject({
    ...{ owned: true, order_id: orderId },
    contacts: [{ kind: 'email', value: 'gst1@example.in', do_not_contact: false }],
  })
  expect(await heldOf(orderId)).toBe(3)
  expect((await contacts(customer, 1)).owned).toBe(true)
  const spaced = encodeURIComponent(`${gstinOf(1).slice(0, 2)} ${gstinOf(1).slice(2).toLowerCase()}`)
  const asWritten = (await api.get(`/api/crm/contacts?type=gst&identifier=${spaced}`, customer.token)).json()
  expect(asWritten).toEqual(await contacts(customer, 1))
  expect([await heldOf(orderId), await violations()]).toEqual([3, []])

  // What came back is shown no more, nor what its owner objected to.
  await api.post(`/admin/orders/${orderId}/refund`, operatorToken, { items: [1], reason: 'wrong' })
  expect(await contacts(customer, 2)).toEqual(none)
  await api.post('/admin/suppressions', operatorToken, { email: ['gst3@example.in'], reason: 'objected' })
  expect(await contacts(customer, 3)).toMatchObject({ owned: true, contacts: [] })
  expect(await contacts(other, 3)).toEqual(none)
})
