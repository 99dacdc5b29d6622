/**
 * The process dies at every gap of the paths that move credits: before the first statement, between any two, before the
 * commit. Each time the connection is cut as kill -9 cuts it. Afterwards either nothing happened or all of it, and the
 * buyer's or operator's repeat brings it about once.
 */

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sampleSeller } from '../../config/seller.ts'
import { connectors } from '../../connectors/index.ts'
import type { Db, Queryable } from '../../src/db/db.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { holdAccountOf } from '../../src/deliver/destinations/hold-account.ts'
import { takeLease } from '../../src/deliver/lease/lease.ts'
import { deliverBuiltOrderWithin } from '../../src/deliver/push/automatic.ts'
import { claimLeads, recordOutcomes } from '../../src/deliver/record/ledger.ts'
import { Secret } from '../../src/domain/secret.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { decideDispute, openDispute } from '../../src/orders/disputes.ts'
import { creditBalance, refundItems } from '../../src/orders/ledger.ts'
import { receiveEvent } from '../../src/orders/payments/receive-event.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { reclaimOrder } from '../../src/orders/reclaim-order.ts'
import { refundOrder } from '../../src/orders/refund-order.ts'
import { createAccount, gstinOf, insertContact, insertGst, useTestQueue } from '../integration/orders/world.ts'
import { useTestDatabase } from '../support/database.ts'
import { mortal } from '../support/mortal-db.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.url)
let accountId: string
let payments = 0

const settings = {
  onlineLabel: 'online',
  payments: {
    provider: 'gap',
    creditPaise: 100,
    seller: sampleSeller,
    begin: async ({ amount }: { amount: number }) => ({
      ...{ provider: 'gap', id: `order_${++payments}`, amount, currency: 'INR' as const, key_id: 'key' },
    }),
    readEvent: () => ({ name: 'other', kind: 'other' as const }),
    readAgain: () => undefined,
    listPaymentsFor: async () => [],
    refundsOf: async () => [],
    refund: async () => undefined,
  },
}

beforeAll(async () => {
  for (const serial of [1, 2, 3, 4]) await insertGst(database.db, gstinOf(serial))
  for (const serial of [1, 2]) {
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})
beforeEach(async () => {
  accountId = await createAccount(database.db, 20)
})

const state = () =>
  database.db.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(t) - 'created_at' ORDER BY transfer_id) FROM ledger.transfer AS t) AS transfers,
            (SELECT jsonb_agg(to_jsonb(l) ORDER BY lot_id) FROM ledger.lot AS l) AS lots,
            (SELECT jsonb_agg(to_jsonb(p) ORDER BY order_id) FROM orders.purchase AS p) AS orders,
            (SELECT jsonb_agg(to_jsonb(i) ORDER BY item_id) FROM orders.item AS i) AS items,
            (SELECT jsonb_agg(to_jsonb(d) ORDER BY dispute_id) FROM orders.dispute AS d) AS disputes,
            (SELECT jsonb_agg(to_jsonb(r) ORDER BY external_id) FROM deliver.record AS r) AS records,
            (SELECT jsonb_agg(to_jsonb(d) ORDER BY delivery_id) FROM deliver.delivery AS d) AS deliveries,
            (SELECT count(*) FROM orders.payment) AS payments,
            (SELECT count(*) FROM pgboss.job WHERE name = 'build-leads') AS jobs`,
  )
const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

/** @returns how many gaps there were. */
async function atEveryGap(act: (db: Db) => Promise<unknown>): Promise<number> {
  for (let gap = 0; ; gap++) {
    const before = await state()
    const { db, died } = mortal(database.db, gap)
    const outcome = await act(db).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!died()) {
      expect(outcome).toBeUndefined()
      await proved()
      return gap
    }
    expect([gap, outcome]).toEqual([gap, expect.any(Error)])
    expect([gap, await state()]).toEqual([gap, before])
    await proved()
  }
}

const items = (...serials: number[]) =>
  serials.map((serial) => ({ type: 'gst' as const, name: 'X', number: gstinOf(serial) }))
const place = (db: Db, paymentOption: string, ...serials: number[]) =>
  placeOrder(db, jobs.queue, settings, { accountId, orderName: 'gap', paymentOption, items: items(...serials) })
const balance = () => creditBalance(database.db, accountId)
const oneId = async (db: Queryable, sql: string) => (await db.query<{ id: string }>(sql, [accountId]))[0]?.id ?? ''

test('an order with credits', async () => {
  expect(await atEveryGap((db) => place(db, 'credits', 1, 3))).toBeGreaterThan(6)
  expect(await balance()).toBe(19)
})

test('a payment that comes', async () => {
  const { payment } = await place(database.db, 'online', 1, 3)
  const notice = {
    paymentId: `pay_${payment?.id}`,
    paymentOrderId: payment?.id ?? '',
    amount: 200,
    currency: 'INR',
    fee: 0,
    feeTax: 0,
  }
  const tell = (db: Db) =>
    receiveEvent(
      db,
      jobs.queue,
      { provider: 'gap', seller: sampleSeller, source: 'webhook' },
      { name: 'paid', kind: 'paid', payment: notice },
    )
  expect(await atEveryGap(tell)).toBeGreaterThan(6)
  expect(await balance()).toBe(21)
  expect(await tell(database.db)).toMatchObject({ outcome: 'known' })
})

test('a refund by an operator', async () => {
  const { orderId } = await place(database.db, 'credits', 1, 2)
  const refund = (db: Db) => db.transaction((tx) => refundOrder(tx, { orderId, reason: 'gap', actor: 'operator' }))
  expect(await atEveryGap(refund)).toBeGreaterThan(2)
  expect(await balance()).toBe(20)
  expect(await refund(database.db)).toMatchObject({ refunded: 0 })
})

test('a report that is accepted', async () => {
  const { orderId } = await place(database.db, 'credits', 1)
  await database.db.transaction((tx) => openDispute(tx, accountId, { orderId, index: 0, reason: 'gap' }))
  const disputeId = await oneId(
    database.db,
    `SELECT dispute_id AS id FROM orders.dispute JOIN orders.item USING (item_id) JOIN orders.purchase USING (order_id)
     WHERE account_id = $1`,
  )
  const decision = { disputeId, accept: true, note: 'gap', actor: 'operator' } as const
  expect(await atEveryGap((db) => db.transaction((tx) => decideDispute(tx, decision)))).toBeGreaterThan(3)
  expect(await balance()).toBe(20)
})

test('a late contact that is reclaimed', async () => {
  const { orderId } = await place(database.db, 'credits', 1, 4)
  expect(await balance()).toBe(19)
  await insertContact(database.db, 'gst', gstinOf(4), { email: 'late4@example.in' })
  expect(await atEveryGap((db) => reclaimOrder(db, jobs.queue, { accountId, orderId }))).toBeGreaterThan(6)
  expect(await balance()).toBe(18)
})

test('an order that a CRM gets, its delivery, the CRM’s answer, a release and a refund', async () => {
  const secretKey = new Secret('a key of sixteen characters or more')
  const { destination_id: id } = await addDestination(database.db, connectors, secretKey, {
    ...{ accountId, connector: 'hubspot', name: 'gap' },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
  expect(await atEveryGap((db) => place(db, 'credits', 1, 2, 3))).toBeGreaterThan(6)
  expect(await balance()).toBe(18)
  const orderId = await oneId(database.db, 'SELECT order_id AS id FROM orders.purchase WHERE account_id = $1')
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  await atEveryGap((db) => db.transaction((tx) => deliverBuiltOrderWithin(tx, jobs.queue, orderId)))
  const lease = await takeLease(database.db, id)
  if (!lease) throw new Error('nobody else holds it')
  const leads = await claimLeads(database.db, lease, 50)
  expect(leads).toHaveLength(2)
  const answer = (db: Db) =>
    db.transaction(async (tx) => {
      await holdAccountOf(tx, id)
      await recordOutcomes(tx, lease, leads, [
        { status: 'created', crmId: '1', values: {} },
        { status: 'rejected', code: 'NO', field: null, message: 'no' },
      ])
    })
  expect(await atEveryGap(answer)).toBe(3)
  const moved = () =>
    database.db.query(
      `SELECT transfer.kind, amount FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
       WHERE owner_id = $1 AND order_id IS NOT NULL ORDER BY transfer_id`,
      [accountId],
    )
  const before = [
    { kind: 'hold', amount: 3 },
    { kind: 'release', amount: 1 },
    { kind: 'settle', amount: 1 },
  ]
  expect(await moved()).toEqual(before)
  const refund = (db: Db) => db.transaction((tx) => refundOrder(tx, { orderId, reason: 'gap', actor: 'operator' }))
  expect(await atEveryGap(refund)).toBeGreaterThan(2)
  const back = await moved()
  expect(back.slice(3)).toEqual(
    expect.arrayContaining([
      { kind: 'refund', amount: 1 },
      { kind: 'release', amount: 1 },
    ]),
  )
  expect(await balance()).toBe(20)
})
