/**
 * States of what is sold, as the database holds them against whoever runs the statement, the role of requests or the
 * superuser: each move that is not in the table is refused, and what was agreed, paid or issued stays.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { plans } from '../../config/sales.ts'
import { sampleSeller } from '../../config/seller.ts'
import { appRoles } from '../../src/db/roles.ts'
import { issueInvoice } from '../../src/orders/invoices/issue-invoice.ts'
import { orderMoves, orderStates, paymentMoves, paymentStates } from '../../src/orders/states.ts'
import { createAccount } from '../integration/orders/world.ts'
import { givenSubscription } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const everybody = ['panji_api', 'the superuser'] as const
const as = (who: (typeof everybody)[number]) => (who === 'panji_api' ? database.as(who) : database.db)
let accountId: string
beforeAll(async () => {
  accountId = await createAccount(database.db)
})

interface Move {
  /** Columns of the row as it is born. */
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** @returns the moves that were let through, of rows that are born in any state, which no statement of ours does. */
async function letThrough(
  who: (typeof everybody)[number],
  { born, move }: { readonly born: string; readonly move: string },
  all: readonly Move[],
): Promise<Move[]> {
  const rows = all.map((each) => ({ ...each, id: randomUUID() }))
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `WITH row AS (SELECT value ->> 'id' AS id, value -> 'from' AS "from" FROM jsonb_array_elements($2::jsonb)) ${born}`,
      [accountId, JSON.stringify(rows)],
    )
  })
  const done = await Promise.all(
    rows.map(({ id, to }) =>
      as(who)
        .execute(move, [id, ...to])
        .then(
          (changed) => changed === 1,
          (error: unknown) => {
            expect(error).toMatchObject({ code: '23001' })
            return false
          },
        ),
    ),
  )
  return all.filter((_, index) => done[index])
}

test.each(everybody)('an order moves along the table of transitions, and its payment with it: %s', async (who) => {
  const pairs = orderStates.flatMap((status) => paymentStates.map((payment) => [status, payment] as const))
  const together = new Set([
    'completed paid',
    'completed refunded',
    'cancelled cancelled',
    'expired cancelled',
    'failed failed',
  ])
  const sql = {
    born: `INSERT INTO orders.purchase (order_id, account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
           SELECT id::uuid, $1::uuid, 'x', 'online', "from" ->> 0, "from" ->> 1, 1, 1 FROM row`,
    move: 'UPDATE orders.purchase SET status = $2, payment_status = $3 WHERE order_id = $1',
  }
  const froms = [['pending', 'pending'], ...pairs.filter((pair) => together.has(pair.join(' ')))] as const
  const all = froms.flatMap((from) => pairs.map((to) => ({ from, to })))
  const legal = all.filter(({ from: [status, payment], to: [toStatus, toPayment] }) => {
    if (status === toStatus && payment === toPayment) return true
    const moved = status === toStatus || orderMoves[status].includes(toStatus)
    const paid = payment === toPayment || paymentMoves[payment].includes(toPayment)
    return moved && paid && together.has(`${toStatus} ${toPayment}`)
  })
  expect(await letThrough(who, sql, all)).toEqual(legal)
})

test.each(everybody)('a purchase and a refund move along theirs: %s', async (who) => {
  const tables = [
    {
      states: ['pending', 'paid', 'refunded', 'expired'],
      legal: ['pending paid', 'pending expired', 'expired paid', 'paid refunded'],
      born: `INSERT INTO orders.checkout (checkout_id, account_id, product, credits, amount, status)
             SELECT id::uuid, $1::uuid, 'x', 1, 1, "from" ->> 0 FROM row`,
      move: 'UPDATE orders.checkout SET status = $2 WHERE checkout_id = $1',
    },
    {
      states: ['asked', 'made', 'refused'],
      legal: ['asked made', 'asked refused', 'refused made'],
      born: `INSERT INTO orders.refund (request_id, provider, payment_id, reference, amount, reason, actor, status, refund_id, answered_at)
             SELECT id::uuid, 'x', id, id, 1, 'x', $1::text, "from" ->> 0, CASE WHEN "from" ->> 0 = 'made' THEN 'r' END,
                    CASE WHEN "from" ->> 0 <> 'asked' THEN now() END FROM row`,
      move: `UPDATE orders.refund SET status = $2, refund_id = CASE WHEN $2 = 'made' THEN 'r' END,
               answered_at = CASE WHEN $2 <> 'asked' THEN now() END WHERE request_id = $1`,
    },
  ]
  for (const { states, legal, ...sql } of tables) {
    const all = states.flatMap((from) => states.map((to) => ({ from: [from], to: [to] })))
    const right = all.filter(({ from: [from], to: [to] }) => from === to || legal.includes(`${from} ${to}`))
    expect(await letThrough(who, sql, all)).toEqual(right)
  }
})

test('what was agreed, bought, paid and issued stays, for the superuser too', async () => {
  const { db } = database
  const number = await db.transaction((tx) =>
    issueInvoice(tx, sampleSeller, { accountId, reference: 'payment:x', description: 'x', net: 100, tax: 18 }),
  )
  const subscription = await givenSubscription(db, accountId)
  const attacks: readonly (readonly [string, string])[] = [
    [
      'an invoice is changed',
      `UPDATE orders.invoice SET total = 1, net = 1, cgst = 0, sgst = 0 WHERE number = '${number}'`,
    ],
    ['an invoice is deleted', `DELETE FROM orders.invoice WHERE number = '${number}'`],
    ['invoices are emptied', 'TRUNCATE orders.invoice'],
    ['a number is left out', `UPDATE orders.invoice_counter SET last = last + 2`],
    ['a number is given again', `UPDATE orders.invoice_counter SET last = last - 1`],
    ['a series begins with 7', `INSERT INTO orders.invoice_counter VALUES ('PC', '2930', 7)`],
    ['a counter is deleted', 'DELETE FROM orders.invoice_counter'],
    ['a payment is changed', 'UPDATE orders.payment SET amount = 1'],
    ['a repayment is deleted', 'DELETE FROM orders.repayment'],
    ['a purchase is deleted', 'DELETE FROM orders.checkout'],
    ['a term is lengthened', `UPDATE access.subscription_term SET ends_at = ends_at + interval '1 day'`],
    ['a term brings more', 'UPDATE access.subscription_term SET credits = credits + 1'],
    ['a subscription passes on', `UPDATE access.subscription SET account_id = '${await createAccount(db)}'`],
    [
      'two of one product at a time',
      `INSERT INTO access.subscription (account_id, product, kind, name, interval, grace_days, ends_at, until_at)
       SELECT account_id, '${plans[0].id}', 'plan', 'x', 'month', 0, now() + interval '1 day', now() + interval '1 day'
       FROM access.subscription WHERE subscription_id = '${subscription}'`,
    ],
  ]
  for (const [name, sql] of attacks) {
    const outcome = await db.execute(sql).then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code,
    )
    expect([name, outcome]).toEqual([name, '23001'])
  }
})

test('events of a payment processor cannot be deleted by any role, not even the superuser', async () => {
  const { db } = database
  await db.execute(
    `INSERT INTO orders.payment_event (provider, source, name, outcome) VALUES ('razorpay', 'webhook', 'order.paid', 'ignored')`,
  )
  const told = () => db.query('SELECT * FROM orders.payment_event ORDER BY event_id')
  const before = await told()
  expect(before.length).toBeGreaterThan(0)
  for (const table of ['orders.payment_event', 'orders.payment_dispute']) {
    for (const attack of [`DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
      for (const role of appRoles) {
        await expect(database.as(role).execute(attack), `${role}: ${attack}`).rejects.toMatchObject({ code: '42501' })
      }
      await expect(db.execute(attack), attack).rejects.toMatchObject({ code: '23001' })
    }
  }
  expect(await told()).toEqual(before)
})
