/** Which orders and payments a processor is asked about, and what becomes of its answers: with a processor that is told what to say. */
import { expect, test } from 'vitest'
import { pendingPayments } from '../../../config/plans.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { AppError } from '../../../src/errors.ts'
import { recordAsked } from '../../../src/orders/payments/payment-events.ts'
import type { PaymentNotice, PaymentProcessor } from '../../../src/orders/payments/processor.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()

/** @param provider of this test alone. @param refuses what it says nothing of. */
function processorThat(
  provider: string,
  refuses: (id: string) => boolean = () => false,
  payments: readonly PaymentNotice[] = [],
) {
  const asked: string[] = []
  const answer = async (id: string) => {
    asked.push(id)
    if (refuses(id)) throw new AppError('PAYMENT_REFUSED', 'no')
    return []
  }
  const unused = () => Promise.reject(new Error('nobody asks for this'))
  const processor: PaymentProcessor = {
    ...{ provider, seller: undefined, creditPaise: 500 },
    begin: unused,
    refund: async ({ paymentId }) => {
      await answer(paymentId)
      return unused()
    },
    readEvent: () => ({ name: 'x', kind: 'other' }),
    readAgain: () => undefined,
    listPaymentsFor: async (id) => {
      await answer(id)
      return payments.filter(({ paymentOrderId }) => paymentOrderId === id)
    },
    refundsOf: answer,
  }
  const reconcile = (only?: string) => reconcilePayments({ db: database.db, queue: recordJobs(), processor }, only)
  return { asked, reconcile }
}

async function orderOf(provider: string, id: string, { ago = '1 hour', status = 'pending' } = {}): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count,
       created_at, payment)
     VALUES ($1, $2, 'online', $3, CASE $3 WHEN 'pending' THEN 'pending' WHEN 'completed' THEN 'paid' ELSE 'cancelled' END, 2, 2,
       now() - $4::interval, $5) RETURNING order_id AS id`,
    [await createAccount(database.db), id, status, ago, { provider, id, amount: 1_000, currency: 'INR', key_id: 'k' }],
  )
  return row?.id ?? ''
}

test('it is asked for what waits or ended lately, of its own, old enough; and for one that is named, however young', async () => {
  const young = await orderOf('first', 'young', { ago: '1 minute' })
  await orderOf('first', 'waiting')
  await orderOf('first', 'expired lately', { ago: '50 hours', status: 'expired' })
  await orderOf('first', 'cancelled long ago', {
    ago: `${pendingPayments.askUntilHours + 1} hours`,
    status: 'cancelled',
  })
  await orderOf('first', 'paid', { status: 'completed' })
  await orderOf('another', 'of another')
  const { asked, reconcile } = processorThat('first')
  expect(await reconcile()).toEqual({ checked: 2, settled: 0, expired: 0, refused: 0 })
  expect(asked).toEqual(['expired lately', 'waiting'])
  expect(await reconcile('young')).toMatchObject({ checked: 1 })
  expect(await reconcile(young)).toMatchObject({ checked: 1 })
  expect(asked.slice(2)).toEqual(['young', 'young'])
})

test('what it refuses to tell is counted one by one, and what nobody paid in time ends', async () => {
  for (const id of ['a', 'b', 'c']) await orderOf('second', id)
  const overdue = await orderOf('second', 'overdue', { ago: `${pendingPayments.endAfterHours + 1} hours` })
  const { reconcile } = processorThat('second', (id) => id !== 'overdue')
  expect(await reconcile()).toEqual({ checked: 4, settled: 0, expired: 1, refused: 3 })
  expect(
    await database.db.query(
      `SELECT order_id AS id, cancelled_at IS NOT NULL AS "isDated" FROM orders.purchase
       WHERE status = 'expired' AND payment ->> 'provider' = 'second'`,
    ),
  ).toEqual([{ id: overdue, isDated: true }])
})

test('it is asked for refunds of payments of its own that came lately and are not given back as a whole', async () => {
  const paid = async (paymentId: string, { provider = 'third', days = 1, status = 'paid' } = {}) => {
    const orderId = await orderOf(provider, `order of ${paymentId}`, { status: 'completed' })
    await database.db.execute('UPDATE orders.purchase SET payment_status = $2 WHERE order_id = $1', [orderId, status])
    await database.db.execute(
      `INSERT INTO orders.payment (provider, payment_id, order_id, amount, currency, received_at)
       VALUES ($1, $2, $3, 1000, 'INR', now() - make_interval(days => $4))`,
      [provider, paymentId, orderId, days],
    )
    return orderId
  }
  await paid('lately')
  await paid('of another', { provider: 'other' })
  await paid('long ago', { days: pendingPayments.refundDays + 1 })
  await paid('given back', { status: 'refunded' })
  const named = await paid('named')
  const { asked, reconcile } = processorThat('third')
  expect(await reconcile()).toMatchObject({ checked: 2 })
  expect(asked.toSorted()).toEqual(['lately', 'named'])
  for (const only of ['named', named, 'order of named']) expect(await reconcile(only)).toMatchObject({ checked: 1 })
  expect(asked.slice(2)).toEqual(['named', 'named', 'named'])
})

test('one that is named is asked for at any age, and nothing else is', async () => {
  const hours = pendingPayments.askUntilHours + 1
  const late = await orderOf('fourth', 'late', { ago: `${hours} hours`, status: 'expired' })
  await orderOf('fourth', 'waiting')
  const [paid, other] = [
    await orderOf('fourth', 'paid', { status: 'completed' }),
    await orderOf('fourth', 'other', { status: 'completed' }),
  ]
  for (const [paymentId, orderId] of Object.entries({ old: paid, second: other })) {
    await database.db.execute(
      `INSERT INTO orders.payment (provider, payment_id, order_id, amount, currency, received_at)
       VALUES ('fourth', $1, $2, 1000, 'INR', now() - make_interval(days => $3))`,
      [paymentId, orderId, pendingPayments.refundDays + 1],
    )
    await database.db.execute(
      `INSERT INTO orders.refund (provider, payment_id, amount, reason, actor, reference) VALUES ('fourth', $1, 500, 'asked for', 'ravi', $1)`,
      [paymentId],
    )
  }
  const { asked, reconcile } = processorThat('fourth', () => true)
  expect(await reconcile(late)).toEqual({ checked: 1, settled: 0, expired: 0, refused: 1 })
  expect(asked).toEqual(['late'])
  await reconcile('old')
  expect(new Set(asked.slice(1))).toEqual(new Set(['old']))
})

test('an order or payment that nobody knows is not found, and one of another processor neither', async () => {
  await orderOf('fifth', 'waiting')
  const elsewhere = await orderOf('sixth', 'elsewhere')
  const { asked, reconcile } = processorThat('fifth')
  for (const only of ['nobody', elsewhere, 'elsewhere']) {
    await expect(reconcile(only)).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(only) })
  }
  expect(asked).toEqual([])
})

test('what an erased account began to pay ends, and is asked for as long as anything: money for it waits for an operator', async () => {
  const begun = async (id: string, ago = '1 hour') => {
    const orderId = await orderOf('seventh', id, { ago })
    const [order] = await database.db.query<{ accountId: string }>(
      'SELECT account_id AS "accountId" FROM orders.purchase WHERE order_id = $1',
      [orderId],
    )
    const payment = { provider: 'seventh', id, amount: 1_000, currency: 'INR', key_id: 'k' } as const
    await recordAsked(database.db, orderId, payment)
    return { orderId, accountId: order?.accountId ?? '', payment }
  }
  const [paid, unpaid, long] = [await begun('paid'), await begun('unpaid'), await begun('long ago', '97 hours')]
  const [pack] = await database.db.query<{ id: string }>(
    `INSERT INTO orders.checkout (checkout_id, account_id, product, credits, valid_days, amount, payment, created_at)
     VALUES (gen_random_uuid(), $1, 'credits-100', 100, 365, 118000, $2, now() - interval '1 hour') RETURNING checkout_id AS id`,
    [paid.accountId, { ...paid.payment, id: 'pack' }],
  )
  await recordAsked(database.db, pack?.id ?? '', { ...paid.payment, id: 'pack', amount: 118_000 })
  for (const { accountId } of [paid, unpaid, long]) await database.db.transaction((tx) => eraseAccount(tx, accountId))
  const states = await database.db.query(
    `SELECT status, payment_status FROM orders.purchase WHERE order_id = ANY ($1)
     UNION ALL SELECT status, NULL FROM orders.checkout WHERE checkout_id = $2`,
    [[paid.orderId, unpaid.orderId], pack?.id],
  )
  expect(states).toEqual([
    { status: 'cancelled', payment_status: 'cancelled' },
    { status: 'cancelled', payment_status: 'cancelled' },
    { status: 'expired', payment_status: null },
  ])
  const payments = ['paid', 'pack'].map((id) => ({
    ...{ paymentId: `pay of ${id}`, paymentOrderId: id, currency: 'INR', fee: 0, feeTax: 0 },
    amount: id === 'pack' ? 118_000 : 1_000,
  }))
  const { asked, reconcile } = processorThat('seventh', () => false, payments)
  expect(await reconcile()).toEqual({ checked: 3, settled: 0, expired: 0, refused: 2 })
  expect(asked.toSorted()).toEqual(['pack', 'paid', 'unpaid'])
  // Reported once, however often it is asked for.
  await reconcile()
  const events = await database.db.query(
    `SELECT outcome, payment_id, order_id FROM orders.payment_event
     WHERE provider = 'seventh' AND source = 'reconcile' ORDER BY payment_id`,
  )
  expect(events).toEqual([
    { outcome: 'erased_account', payment_id: 'pay of pack', order_id: pack?.id },
    { outcome: 'erased_account', payment_id: 'pay of paid', order_id: paid.orderId },
  ])
  expect(await reconcile(long.orderId)).toMatchObject({ checked: 1 })
  expect(await reconcile('long ago')).toMatchObject({ checked: 1 })
})
