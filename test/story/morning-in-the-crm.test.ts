/**
 * A week, as a sales team sees it in its CRM each morning: orders, an outage, a revoked token, a rep's edits, rejects fixed,
 * a refund and a recall. Every evening the credits that are spent are the rows that the CRM acknowledged, and each row is there once.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSuppressions } from '../../src/access/suppressions.ts'
import { recallLeads } from '../../src/deliver/recall/recall-leads.ts'
import { verifyReceipt } from '../../src/deliver/record/verify-receipt.ts'
import { readObjection } from '../../src/domain/objection.ts'
import { useDeliveryWorld } from '../integration/deliver/delivery-world.ts'
import { gstinOf, insertContact, insertGst } from '../integration/orders/world.ts'
import {
  secretKey as apiKey,
  buildTestServer,
  type LoggedIn,
  newCustomer,
  operatorToken,
  useApi,
} from '../support/api.ts'
import { addCredits } from '../support/api-world.ts'
import { raiseVersion } from '../support/registry-rows.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)
const db = () => world.database.db
let app: FastifyInstance
let customer: LoggedIn

const rows = 12
const given = 100
const emailOf = (serial: number) => `office${serial}@zuari${serial}.example.in`
beforeAll(async () => {
  app = await buildTestServer(world.database, world.queue())
  for (let serial = 1; serial <= rows; serial++) {
    const gstin = gstinOf(serial)
    await insertGst(db(), gstin, {
      legal_name: `ZUARI ${serial}`,
      trade_name: `Zuari ${serial}`,
      city: 'Margao',
      district: 'South Goa',
      state: 'Goa',
    })
    // Nobody can be reached under the last but one.
    if (serial !== rows - 1) await insertContact(db(), 'gst', gstin, { email: emailOf(serial) })
  }
})
afterAll(() => app.close())

const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${customer.token}` }
  return app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
}
const order = async (...serials: number[]) => {
  const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const reply = await call('POST', '/api/orders/normal', { orderName: 'Leads', paymentOption: 'credits', items })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json<{ _id: string }>()._id
}
const answered = (orderId: string, acknowledged: number, rejected = 0) =>
  world.until(async () => expect(await world.counts(orderId)).toEqual({ acknowledged, rejected, open: 0 }))
const record = (serial: number) => {
  const found = world
    .box('salesforce')
    .records()
    .filter(({ properties }) => JSON.stringify(properties).includes(gstinOf(serial)))
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]
}
const deliveryOf = async (serial: number) =>
  (await call('GET', `/api/crm/deliveries?record=${gstinOf(serial)}`)).json().data[0]
const balance = async () => (await call('GET', '/api/users/me')).json<{ credit_balance: number }>().credit_balance

/** @returns what the ledger says, once they are proved. */
async function evening(): Promise<{ spent: number; held: number; back: number }> {
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
  const [books] = await db().query<{ spent: number; held: number; back: number; acknowledged: number }>(
    `SELECT coalesce(sum(amount) FILTER (WHERE transfer.kind = 'settle'), 0)::int AS spent,
       coalesce(sum(CASE transfer.kind WHEN 'hold' THEN amount WHEN 'settle' THEN -amount WHEN 'release' THEN -amount END), 0)::int AS held,
       count(*) FILTER (WHERE transfer.kind = 'refund')::int AS back,
       (SELECT count(DISTINCT item_id)::int FROM deliver.delivery JOIN orders.item USING (item_id)
        WHERE delivery.state = 'acknowledged' AND charge_id IS NOT NULL) AS acknowledged
     FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id WHERE owner_id = $1`,
    [customer.accountId],
  )
  expect(books?.spent, 'credits spent = rows acknowledged').toBe(books?.acknowledged)
  const { spent = 0, held = 0, back = 0 } = books ?? {}
  expect(await balance()).toBe(given - spent - held + back)
  return { spent, held, back }
}

test('a week of mornings in the CRM', async () => {
  customer = await newCustomer(api, world.database)
  await addCredits(db(), customer.accountId, given)

  // Monday: the CRM is connected, one test row goes there and back, and the first order is there by itself.
  const connected = await call('POST', '/api/crm/destinations', {
    ...{ type: 'salesforce', name: 'Our org', settings: world.settings('salesforce') },
  })
  const id = connected.json<{ destination_id: string }>().destination_id
  const path = `/api/crm/destinations/${id}`
  expect((await call('POST', `${path}/test`)).json()).toMatchObject({ ok: true })
  expect((await call('POST', `${path}/test-row`)).json()).toMatchObject({ ok: true, removed: true })
  const monday = await order(1, 2, 3, rows - 1)
  await answered(monday, 3)
  expect(record(1)?.properties).toMatchObject({ City: 'South Goa', Email: emailOf(1) })
  expect(await evening()).toEqual({ spent: 3, held: 0, back: 0 })
  const receipt = await call('GET', `/api/crm/deliveries/${(await deliveryOf(1)).delivery_id}/receipt`)
  expect(await verifyReceipt(receipt.body)).toMatchObject({ ok: true })

  // Tuesday: the CRM is away. The order waits with its credits held, the account is told, and all of it arrives.
  world.box('salesforce').addFault({ kind: 'status', status: 503, times: 7 })
  const tuesday = await order(4, 5, 6)
  expect(await balance()).toBe(given - 6)
  await world.until(async () => expect((await call('GET', path)).json()).toMatchObject({ status: 'broken' }))
  expect(await evening()).toEqual({ spent: 3, held: 3, back: 0 })
  await answered(tuesday, 3)
  expect(await evening()).toEqual({ spent: 6, held: 0, back: 0 })
  const told = await db().query<{ type: string }>('SELECT type FROM deliver.mail WHERE account_id = $1', [
    customer.accountId,
  ])
  expect(told.map(({ type }) => type)).toContain('order.delivered')

  // Wednesday: somebody revoked the token. It is renewed on the same destination, which goes on where it was.
  await call('PATCH', path, { settings: { ...world.settings('salesforce'), client_secret: 'revoked' } })
  const wednesday = await order(7)
  await world.until(async () =>
    expect((await call('GET', path)).json()).toMatchObject({ status: 'broken', failure: { code: expect.any(String) } }),
  )
  expect(record(7)).toBeUndefined()
  await call('PATCH', path, { settings: world.settings('salesforce') })
  await answered(wednesday, 1)
  expect(await evening()).toEqual({ spent: 7, held: 0, back: 0 })

  // Thursday: a rep corrected a town. The register moved too; what the rep wrote stays, the rest is the newest. It is owned, and free.
  world.box('salesforce').edit(String(record(2)?.id), { City: 'Vasco, says Ravi' })
  await db().execute(
    `UPDATE registry.gst_taxpayer SET district = 'North Goa', trade_name = 'Zuari Two' WHERE gstin = $1`,
    [gstinOf(2)],
  )
  await raiseVersion(db(), 'gst')
  const thursday = await order(2)
  await answered(thursday, 1)
  expect(record(2)?.properties).toMatchObject({ City: 'Vasco, says Ravi' })
  expect(JSON.stringify(record(2)?.properties)).toContain('Zuari Two')
  expect(await evening()).toEqual({ spent: 7, held: 0, back: 0 })

  // Friday: the CRM refuses a row. Its credit is held until the row is fixed by hand, after the CRM's own words.
  await answered(await order(8), 1)
  const refusal = {
    statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    message: 'No addresses like this',
    fields: ['Email'],
  }
  world.box('salesforce').addFault({
    ...{ kind: 'status', status: 200, match: 'composite/sobjects/Lead', times: 1 },
    body: [{ success: false, errors: [refusal] }],
  })
  const friday = await order(rows)
  await answered(friday, 0, 1)
  expect(await evening()).toEqual({ spent: 8, held: 1, back: 0 })
  const refused = await deliveryOf(rows)
  expect(refused).toMatchObject({
    outcome: 'rejected',
    field: 'Email',
    code: refusal.statusCode,
    message: expect.stringContaining(refusal.message),
  })
  const fixed = await call('POST', '/api/crm/deliveries/fix', {
    rows: [{ delivery_id: refused.delivery_id, values: { Email: 'office@zuari12.example.in' } }],
  })
  expect(fixed.json()).toEqual({ fixed: 1, unchanged: 0, not_rejected: 0 })
  await answered(friday, 1)
  expect(record(rows)?.properties).toMatchObject({ Email: 'office@zuari12.example.in' })
  expect(await evening()).toEqual({ spent: 9, held: 0, back: 0 })

  // Saturday: a contact was bad; the buyer says so, and an operator gives the credit back.
  const dispute = await call('POST', `/api/orders/${tuesday}/items/0/dispute`, { reason: 'nobody there' })
  await api.post(`/admin/disputes/${dispute.json().dispute_id}/decide`, operatorToken, {
    ...{ decision: 'accept', reason: 'so it is' },
  })
  expect(await evening()).toEqual({ spent: 9, held: 0, back: 1 })

  // Sunday: somebody objects. The record leaves the CRM with a receipt, and is not sent again.
  const objection = readObjection('email', emailOf(3))
  const objections = objection ? [objection] : []
  await db().transaction((tx) => addSuppressions(tx, world.queue(), { objections, actor: 'operator' }))
  await world.until(async () => {
    await recallLeads(world.parts(), new AbortController().signal).catch(() => {})
    expect(record(3)).toBeUndefined()
  })
  const [gone] = await db().query<{ status: string }>('SELECT status FROM deliver.recall WHERE external_id = $1', [
    `gst:${gstinOf(3)}`,
  ])
  expect(gone).toEqual({ status: 'erased' })

  // What the team finds on the next morning: every lead once, and a log that says all of it.
  const leads = world
    .box('salesforce')
    .records()
    .filter(({ object }) => object === 'Lead')
  expect(leads).toHaveLength(8)
  const log = await call('GET', '/api/crm/deliveries/export?format=ndjson')
  const outcomes = log.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).outcome as string)
  expect(outcomes.filter((outcome) => ['created', 'updated', 'unchanged'].includes(outcome))).toHaveLength(9)
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
}, 180_000)
