/** What may come to one order or one account at the same time: refunds from everywhere, exports under way, suspension, erasure. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suspendAccount } from '../../src/access/accounts.ts'
import { eraseAccount } from '../../src/access/erase-account.ts'
import type { Tx } from '../../src/db/db.ts'
import { AppError } from '../../src/errors.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { decideDispute, openDispute } from '../../src/orders/disputes.ts'
import { refundItems } from '../../src/orders/ledger.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { refundOrder } from '../../src/orders/refund-order.ts'
import { gstinOf, insertContact, insertGst } from '../integration/orders/world.ts'
import { buildTestServer, type LoggedIn, newCustomer, recordJobs, useApi } from '../support/api.ts'
import { addCredits } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
let app: Awaited<ReturnType<typeof buildTestServer>>
const wide = 400

beforeAll(async () => {
  await database.db.execute(
    `INSERT INTO registry.gst_taxpayer (gstin, kind, pan, legal_name, name_key, state_code, first_run_id, last_run_id, as_of)
     SELECT gstin, 'normal', substr(gstin, 3, 10), 'TAXPAYER ' || gstin, 't', '27', 1, 1, '2026-01-01' FROM unnest($1::text[]) AS gstin`,
    [Array.from({ length: wide }, (_, serial) => gstinOf(100 + serial))],
  )
  await database.db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, email, first_run_id, last_run_id, as_of)
     SELECT 'gst:' || gstin, 'gst', gstin, lower(gstin) || '@reached.example.in', 1, 1, '2026-01-01' FROM registry.gst_taxpayer`,
  )
  await insertGst(database.db, gstinOf(1))
  await insertGst(database.db, gstinOf(2))
  app = await buildTestServer(database, recordJobs())
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const inTx = <T>(work: (tx: Tx) => Promise<T>) => database.db.transaction(work)
const place = (accountId: string, serials: readonly number[]) =>
  placeOrder(
    database.db,
    recordJobs(),
    { onlineLabel: 'online' },
    {
      ...{ accountId, orderName: 'races', paymentOption: 'credits' },
      items: serials.map((serial) => ({ type: 'gst', name: 'Note of Asha', number: gstinOf(serial) })),
    },
  )
const build = (orderId: string) => buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
const buyer = async (credits: number): Promise<LoggedIn> => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, credits)
  return customer
}
/** Of the account, by item: an item that is there twice went back twice. */
const refundsOf = (accountId: string) =>
  database.db.query<{ item: string; count: number }>(
    `SELECT item_id AS item, count(*) AS count FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND transfer.kind IN ('refund', 'release') GROUP BY item_id`,
    [accountId],
  )
const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

/** Any refusal in words of ours is an answer; a deadlock or a broken rule is none. */
const answered = async (acts: readonly Promise<unknown>[]): Promise<void> => {
  const ended = await Promise.allSettled(acts)
  const faults = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  expect(faults.filter((fault) => !(fault instanceof AppError))).toEqual([])
}

/** Reads a little of the export of an order, and leaves the rest on its way. */
async function openExport(orderId: string, { token }: LoggedIn): Promise<IncomingMessage> {
  const asking = request(`${app.listeningOrigin}/api/orders/${orderId}/export?format=csv`, {
    headers: { authorization: `Bearer ${token}` },
  })
  asking.end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  return response
}
async function readToEnd(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response) text += String(chunk)
  } catch {
    // It was cut off, which is one way to end.
  }
  return text
}

test.each([1, 2, 3])(
  'F29: an item gives its credit back once, whoever asks at the same time: builds, operators, reports, exports, an erasure (round %i)',
  async () => {
    const customer = await buyer(10)
    const { accountId } = customer
    await database.db.execute(`DELETE FROM registry.contact WHERE identifier = $1`, [gstinOf(1)])
    await insertContact(database.db, 'gst', gstinOf(1), { email: 'one@reached.example.in' })
    const { orderId } = await place(accountId, [1, 2])
    // Its contact went meanwhile, so that the build would refund what the operator and the report refund, too.
    await database.db.execute(`DELETE FROM registry.contact WHERE identifier = $1`, [gstinOf(1)])
    const { dispute_id: disputeId } = await inTx((tx) =>
      openDispute(tx, accountId, { orderId, index: 0, reason: 'bounced' }),
    )
    const exported = async () => {
      const reply = await app.inject({
        url: `/api/orders/${orderId}/export?format=csv`,
        headers: { authorization: `Bearer ${customer.token}` },
      })
      expect([200, 401, 404]).toContain(reply.statusCode)
    }
    const refund = () => inTx((tx) => refundOrder(tx, { orderId, reason: 'race', actor: 'operator' }))
    await answered([
      ...[build(orderId), exported(), refund(), build(orderId)],
      inTx((tx) => decideDispute(tx, { disputeId, accept: true, note: 'race', actor: 'operator' })),
      ...[refund(), exported(), inTx((tx) => eraseAccount(tx, accountId)), refund(), build(orderId)],
    ])
    expect((await refundsOf(accountId)).map(({ count }) => count)).toEqual([1, 1])
    await proved()
  },
)

test('F31: a suspension while an export is on its way refuses the very next call, and the export ends', async () => {
  const customer = await buyer(wide)
  const { orderId } = await place(
    customer.accountId,
    Array.from({ length: wide }, (_, serial) => 100 + serial),
  )
  await build(orderId)
  const response = await openExport(orderId, customer)
  await inTx((tx) => suspendAccount(tx, customer.accountId))
  const next = await app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${customer.token}` } })
  const another = await app.inject({
    url: `/api/orders/${orderId}/export`,
    headers: { authorization: `Bearer ${customer.token}` },
  })
  expect([next.statusCode, another.statusCode]).toEqual([403, 403])
  await readToEnd(response)
  expect(response.destroyed).toBe(true)
})

test('F32: an erasure while an export and builds are on their way leaves nothing of person or contacts, and the ledger', async () => {
  const customer = await buyer(wide)
  const { accountId } = customer
  const { orderId } = await place(
    accountId,
    Array.from({ length: wide }, (_, serial) => 100 + serial),
  )
  const before = await database.db.query('SELECT sum(amount) AS sum, count(*) AS count FROM ledger.entry')
  await build(orderId)
  const response = await openExport(orderId, customer)
  await answered([build(orderId), inTx((tx) => eraseAccount(tx, accountId)), build(orderId)])
  const text = await readToEnd(response)
  const left = await database.db.query(
    `SELECT (SELECT count(*) FROM orders.lead WHERE order_id = $1) AS leads,
            (SELECT count(*) FROM orders.item WHERE order_id = $1 AND (name ILIKE '%asha%' OR has_contact IS NOT NULL)) AS items,
            (SELECT count(*) FROM orders.purchase WHERE order_id = $1 AND order_name <> 'erased') AS names,
            (SELECT count(*) FROM pgboss.job WHERE data::text ILIKE '%asha%' OR data::text ILIKE '%@reached%') AS jobs`,
    [orderId],
  )
  expect(left).toEqual([{ leads: 0, items: 0, names: 0, jobs: 0 }])
  // What was read before the erasure may have left; what comes after it has nothing to show.
  expect(text.split('\r\n').length).toBeLessThanOrEqual(wide + 2)
  const after = await app.inject({
    url: `/api/orders/${orderId}/export`,
    headers: { authorization: `Bearer ${customer.token}` },
  })
  expect(after.statusCode).toBe(401)
  expect(await database.db.query('SELECT sum(amount) AS sum, count(*) AS count FROM ledger.entry')).toEqual(before)
  await proved()
})
