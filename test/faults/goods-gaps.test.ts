/**
 * The process dies at every gap between money and its goods: the job that builds an order's leads and sees to their delivery, money
 * for an order that goes back, credits bought by themselves, the nightly ledger job. Whoever goes on, a repeat or the job, brings
 * about what an undisturbed run does, once.
 */
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { sampleSeller } from '../../config/seller.ts'
import { connectors } from '../../connectors/index.ts'
import { buildLeadsJob } from '../../jobs/build-leads.ts'
import type { Db } from '../../src/db/db.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { Secret } from '../../src/domain/secret.ts'
import { AppError } from '../../src/errors.ts'
import { buyCredits } from '../../src/orders/buy-credits.ts'
import { cancelOrder } from '../../src/orders/cancel-order.ts'
import { closeLedgerDay } from '../../src/orders/close-ledger-day.ts'
import { grantCredits } from '../../src/orders/ledger.ts'
import type { PaymentEvent, PaymentProcessor } from '../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../src/orders/payments/receive-event.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { createAccount, gstinOf, insertContact, insertGst, useTestQueue } from '../integration/orders/world.ts'
import { useTestDatabase } from '../support/database.ts'
import { letDaysPass } from '../support/payment-world.ts'
import { gapsOf } from './support/gaps.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.url)
const { atEveryGap } = gapsOf(database)
const job = buildLeadsJob({ leadSource: 'Panji' })
let lost = 100

const processor: PaymentProcessor = {
  provider: 'gap',
  creditPaise: 1180,
  seller: sampleSeller,
  begin: async ({ orderId, amount }) => ({
    ...{ provider: 'gap', id: `order_${orderId}`, amount, currency: 'INR', key_id: 'key' },
  }),
  readEvent: () => ({ name: 'other', kind: 'other' }),
  readAgain: () => undefined,
  listPaymentsFor: async () => [],
  refundsOf: async () => [],
  refund: async () => undefined,
}
const settings = { onlineLabel: 'online', payments: processor }

beforeAll(async () => {
  for (const serial of [1, 2, 3]) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})

const place = (accountId: string, paymentOption: string, ...serials: number[]) =>
  placeOrder(database.db, jobs.queue, settings, {
    ...{ accountId, orderName: 'gap', paymentOption },
    items: serials.map((serial) => ({ type: 'gst' as const, name: 'X', number: gstinOf(serial) })),
  })
const tell = (db: Db, event: PaymentEvent) =>
  receiveEvent(db, jobs.queue, { provider: 'gap', seller: sampleSeller, source: 'webhook' }, event)
const paymentOf = (id: string, amount: number): PaymentEvent => ({
  ...{ name: 'paid', kind: 'paid' },
  payment: { paymentId: `pay_${id}`, paymentOrderId: `order_${id}`, amount, currency: 'INR', fee: 0, feeTax: 0 },
})

/** Of all that the account has. */
async function facts(accountId: string): Promise<Record<string, number>> {
  const [row] = await database.db.query<Record<string, number>>(
    `WITH own AS (SELECT order_id FROM orders.purchase WHERE account_id = $1),
          item AS (SELECT * FROM orders.item WHERE order_id IN (SELECT order_id FROM own))
     SELECT (SELECT count(*) FROM orders.lead WHERE order_id IN (SELECT order_id FROM own)) AS leads,
            (SELECT count(*) FROM item WHERE charge_id IS NOT NULL AND refunded_at IS NULL) AS charged,
            (SELECT count(*) FROM item WHERE refunded_at IS NOT NULL) AS refunded,
            (SELECT count(*) FROM item WHERE withdrawn_at IS NOT NULL) AS withdrawn,
            (SELECT count(*) FROM deliver.push WHERE order_id IN (SELECT order_id FROM own)) AS pushes,
            (SELECT count(*) FROM deliver.delivery WHERE order_id IN (SELECT order_id FROM own)) AS deliveries,
            (SELECT count(*) FROM orders.invoice WHERE account_id = $1) AS documents,
            (SELECT coalesce(sum(total - used), 0)::integer FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
             WHERE owner_id = $1) AS credits`,
    [accountId],
  )
  if (!row) throw new Error('a statement of scalars has a row')
  return row
}
const nothing = { leads: 0, charged: 0, refunded: 0, withdrawn: 0, pushes: 0, deliveries: 0, documents: 0, credits: 0 }

test('the job that builds the leads of an order, gives back who cannot be reached any more, and sees to their delivery', async () => {
  const world = async () => {
    const accountId = await createAccount(database.db, 5)
    await addDestination(database.db, connectors, new Secret('a key of sixteen characters or more'), {
      ...{ accountId, connector: 'hubspot', name: 'gap' },
      settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
    })
    const going = ++lost
    await insertGst(database.db, gstinOf(going))
    await insertContact(database.db, 'gst', gstinOf(going), { email: `lost${going}@example.in` })
    const { orderId } = await place(accountId, 'credits', 1, 2, going)
    await database.db.execute('DELETE FROM registry.contact WHERE identifier = $1', [gstinOf(going)])
    return { accountId, orderId }
  }
  const context = {
    queue: jobs.queue,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    attempt: 0,
  }
  const gaps = await atEveryGap(
    world,
    ({ db }, { orderId }) => job.handle({ orderId }, { ...context, db }),
    async ({ accountId }) =>
      expect(await facts(accountId)).toEqual({
        ...nothing,
        ...{ leads: 2, charged: 2, refunded: 1, pushes: 1, deliveries: 2, credits: 3 },
      }),
  )
  expect(gaps).toBeGreaterThan(12)
})

test('money for an order that goes back, with its goods and the copies that came by them', async () => {
  const world = async () => {
    const accountId = await createAccount(database.db)
    const { orderId } = await place(accountId, 'online', 1, 2)
    await tell(database.db, paymentOf(orderId, 2360))
    await place(accountId, 'credits', 2)
    return { accountId, orderId }
  }
  const refund = (db: Db, { orderId }: { orderId: string }) =>
    tell(db, {
      ...{ name: 'refund', kind: 'repaid' },
      refund: {
        refundId: `rfnd_${orderId}`,
        paymentId: `pay_${orderId}`,
        amount: 2360,
        currency: 'INR',
        cause: 'refund',
      },
    })
  const gaps = await atEveryGap(
    world,
    ({ db }, made) => refund(db, made),
    async ({ accountId }) =>
      expect(await facts(accountId)).toEqual({ ...nothing, charged: 2, withdrawn: 3, documents: 2 }),
  )
  expect(gaps).toBeGreaterThan(12)
})

test('the notice of a payment for credits', async () => {
  const world = async () => {
    const accountId = await createAccount(database.db)
    const bought = await buyCredits(database.db, processor, accountId, 'credits-100', async (_tx, checkout) => checkout)
    return { accountId, bought }
  }
  const gaps = await atEveryGap(
    world,
    ({ db }, { bought }) => tell(db, paymentOf(bought.checkoutId, bought.amount)),
    async ({ accountId }) => expect(await facts(accountId)).toEqual({ ...nothing, documents: 1, credits: 100 }),
  )
  expect(gaps).toBeGreaterThan(10)
})

test('an order that its buyer cancels', async () => {
  const world = async () => {
    const accountId = await createAccount(database.db)
    return { accountId, ...(await place(accountId, 'online', 1)) }
  }
  const cancel = async (db: Db, { accountId, orderId }: { accountId: string; orderId: string }) => {
    try {
      await cancelOrder(db, accountId, orderId)
    } catch (error) {
      // Whoever asks again hears that it is cancelled.
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
    }
  }
  const gaps = await atEveryGap(
    world,
    ({ db }, made) => cancel(db, made),
    async ({ accountId }) => expect(await facts(accountId)).toEqual(nothing),
  )
  expect(gaps).toBeGreaterThan(2)
})

test('the nightly ledger job: credits whose end has come, money that is earned, an order that nobody paid', async () => {
  const world = async () => {
    const accountId = await createAccount(database.db)
    const { orderId } = await place(accountId, 'online', 1, 2)
    await tell(database.db, paymentOf(orderId, 2360))
    // After the order, which would spend them first.
    const endsAt = new Date(Date.now() + 86_400_000)
    await database.db.transaction((tx) => grantCredits(tx, accountId, 7, `gap:${accountId}`, { endsAt }))
    const unpaid = await place(accountId, 'online', 3)
    await letDaysPass(database, accountId, 3)
    return { accountId, unpaid: unpaid.orderId }
  }
  const gaps = await atEveryGap(
    world,
    ({ db }) => closeLedgerDay(db),
    async ({ accountId, unpaid }) => {
      const [books] = await database.db.query(
        `SELECT (SELECT status FROM orders.purchase WHERE order_id = $2) AS unpaid,
                (SELECT coalesce(sum(amount), 0)::integer FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
                 WHERE owner_id = $1 AND transfer.kind = 'earn') AS earned`,
        [accountId, unpaid],
      )
      expect(books).toEqual({ unpaid: 'expired', earned: 2000 })
      expect(await facts(accountId)).toEqual({ ...nothing, charged: 2, documents: 1, leads: 0 })
    },
  )
  expect(gaps).toBeGreaterThan(5)
})
