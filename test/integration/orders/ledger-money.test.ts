/** The example of docs/ledger.md, and money given back: every set sums to zero in credits and in paise. */
import { expect, test } from 'vitest'
import type { Tx } from '../../../src/db/db.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditBalance, creditByCredit, refundItems, spendOnOrder } from '../../../src/orders/ledger.ts'
import { listTransfers } from '../../../src/orders/ledger-accounts.ts'
import { lastProof, proveLedger } from '../../../src/orders/ledger-check.ts'
import { sellCredits, takeBackMoney } from '../../../src/orders/ledger-money.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount, gstinOf, insertRow, takenPayment } from './world.ts'

const database = useTestDatabase()

const undone = new Error('undone')

const kinds = [
  'credits',
  'held',
  'sales',
  'issued',
  'lapsed',
  'payments',
  'fees',
  'fee_taxes',
  'taxes',
  'unearned',
  'earned',
  'refunds',
  'receivables',
  'losses',
  'breakage',
]

async function balances(): Promise<Record<string, number>> {
  const rows = await database.db.query<{ kind: string; amount: number }>(
    `SELECT kind, coalesce(sum(amount), 0)::bigint AS amount
     FROM ledger.account LEFT JOIN ledger.entry USING (ledger_account_id) GROUP BY kind`,
  )
  // A kind is opened with its first entry.
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, 0])),
    ...Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount])),
  }
}

const asha = { credits: 100, net: 100_000, tax: 18_000, fee: 2_360, feeTax: 360 }
/** Money that went back, as the processor told it. */
const repaid = (refundId: string, paymentId: string, amount: number) =>
  receiveEvent(
    database.db,
    recordJobs(),
    { provider: 'test', seller: undefined, source: 'webhook' },
    {
      ...{ name: 'back', kind: 'repaid' },
      refund: { refundId, paymentId, amount, currency: 'INR', cause: 'refund' },
    },
  )
const paidBy = (accountId: string, paymentId: string) => takenPayment(database.db, accountId, { paymentId, ...asha })

test('a sale, an order with an item that nobody can be reached under, and the night after it: the ledger of the page', async () => {
  const { db } = database
  const before = await balances()
  const accountId = await createAccount(db)
  const reference = await paidBy(accountId, '1')
  await db.transaction((tx) => sellCredits(tx, accountId, { ...asha, reference }))
  await db.transaction(async (tx) => {
    const [order] = await tx.query<{ id: string }>(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'three', 'credits', 'completed', 'paid', 3, 3) RETURNING order_id AS id`,
      [accountId],
    )
    const orderId = order?.id ?? ''
    const charges = creditByCredit(await spendOnOrder(tx, accountId, { orderId, credits: 3 }))
    const ids = [
      '00000000-0000-4000-8000-00000000000a',
      '00000000-0000-4000-8000-00000000000b',
      '00000000-0000-4000-8000-00000000000c',
    ]
    for (const [position, item_id] of ids.entries()) {
      const fields = { item_id, order_id: orderId, position, type: 'gst', identifier: gstinOf(position), name: 'X' }
      await insertRow(tx, 'orders.item', { ...fields, charge_id: charges[position] })
    }
    await refundItems(tx, accountId, ids.slice(2), 'no_contact')
    expect((await listTransfers(tx, { search: orderId }, 10)).map(({ kind }) => kind)).toContain('spend')
    expect((await listTransfers(tx, { search: ids[2] }, 10)).map(({ kind }) => kind)).toEqual(['refund'])
  })
  const worker = database.as('panji_worker')
  expect(await closeLedgerDay(worker)).toMatchObject({ lapsedCredits: 0, earnings: 1, expiredOrders: 0 })
  expect(await closeLedgerDay(worker)).toMatchObject({ lapsedCredits: 0, earnings: 0, expiredOrders: 0 })
  const moved = Object.entries(await balances()).map(([kind, amount]) => [kind, amount - (before[kind] ?? 0)] as const)
  expect(Object.fromEntries(moved)).toEqual({
    ...{ credits: 98, held: 0, sales: 2, issued: -100, lapsed: 0 },
    ...{
      payments: 115_640,
      fees: 2_000,
      fee_taxes: 360,
      taxes: -18_000,
      unearned: -98_000,
      earned: -2_000,
      refunds: 0,
      receivables: 0,
      losses: 0,
      breakage: 0,
    },
  })
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
})

test('the same payment told again sells nothing twice, and another of its name is refused', async () => {
  const { db } = database
  const accountId = await createAccount(db)
  const sale = { ...asha, reference: await paidBy(accountId, '2') }
  const sell = (given: typeof sale) => db.transaction((tx) => sellCredits(tx, accountId, given))
  await Promise.all([sell(sale), sell(sale), sell(sale)])
  const before = await balances()
  expect((await sell(sale)).applied).toBe(false)
  await expect(sell({ ...sale, net: 1 })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await balances()).toEqual(before)
  expect(await creditBalance(db, accountId)).toBe(100)
})

test('money is given back with the credits for it, in part and as a whole, and never more than came', async () => {
  const { db } = database
  const accountId = await createAccount(db)
  const before = await balances()
  const sale = { ...asha, reference: await paidBy(accountId, '3'), fee: 0, feeTax: 0 }
  await db.transaction((tx) => sellCredits(tx, accountId, sale))
  await repaid('1', '3', 47_200)
  expect(await creditBalance(db, accountId)).toBe(60)
  expect(await repaid('2', '3', 70_801)).toMatchObject({ outcome: 'mismatch' })
  expect(await creditBalance(db, accountId)).toBe(60)
  await repaid('2', '3', 70_800)
  expect(await balances()).toEqual(before)
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
})

test('money of a sale goes back to the account that paid it alone', async () => {
  const { db } = database
  const [buyer, other] = [await createAccount(db), await createAccount(db)]
  const sale = { ...asha, reference: await paidBy(buyer, '4'), fee: 0, feeTax: 0 }
  await db.transaction((tx) => sellCredits(tx, buyer, sale))
  const before = await balances()
  const back = { sale: sale.reference, reference: 'repayment:test:4', net: 50_000, tax: 9_000 }
  const returning = (tx: Tx, accountId: string) => takeBackMoney(tx, accountId, back)
  await expect(db.transaction((tx) => returning(tx, other))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // Of a refund that the processor never made, so it does not stay.
  const taken = db.transaction(async (tx) => {
    await returning(tx, buyer)
    const said = 'SELECT DISTINCT invariant FROM ledger.unmatched() ORDER BY 1'
    expect(await tx.query(said)).toEqual([
      { invariant: 'booked money went back by the processor' },
      { invariant: 'money that an account left is behind its credits, its goods and its debts' },
    ])
    throw undone
  })
  await expect(taken).rejects.toBe(undone)
  expect(await balances()).toEqual(before)
  expect(await creditBalance(db, buyer)).toBe(100)
})

test('money and its tax are booked at one time, when they come and when they go back: no month ends between them', async () => {
  const { db } = database
  const accountId = await createAccount(db)
  const reference = await paidBy(accountId, 'at one time')
  await db.transaction((tx) => sellCredits(tx, accountId, { ...asha, reference }))
  await repaid('back at one time', 'at one time', 118_000)
  const times = await db.query(
    `SELECT array_agg(DISTINCT transfer.kind ORDER BY transfer.kind) AS kinds, count(DISTINCT transfer.created_at) AS times
     FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND from_id <> customer_id AND to_id <> customer_id GROUP BY split_part(reference, ':', 1) ORDER BY 1`,
    [accountId],
  )
  expect(times).toEqual([
    { kinds: ['fee', 'fee_tax', 'payment', 'tax'], times: 1 },
    { kinds: ['repay', 'repay_tax', 'unsell'], times: 1 },
  ])
})

test('the proofs of the last 400 nights are kept, the older ones go', async () => {
  const worker = database.as('panji_worker')
  await database.db.execute(
    `INSERT INTO ledger.proof (transfers, violations) SELECT 0, '[]' FROM generate_series(1, 405)`,
  )
  const { transfers } = await proveLedger(worker)
  const [kept] = await database.db.query<{ count: number }>('SELECT count(*) FROM ledger.proof')
  expect(kept?.count).toBe(400)
  expect(await lastProof(database.as('panji_api'))).toMatchObject({ transfers })
})

test('the nightly proof keeps what it found, and names the row that breaks an invariant', async () => {
  const { db } = database
  const worker = database.as('panji_worker')
  expect(await proveLedger(worker)).toMatchObject({ violations: 0 })
  const accountId = await createAccount(db, 5)
  // Only somebody who switches the guards of the server off gets so far.
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute('UPDATE ledger.account SET balance = 6 WHERE owner_id = $1', [accountId])
  })
  expect((await proveLedger(worker)).violations).toBe(3)
  const proof = await lastProof(database.as('panji_api'))
  expect(proof?.violations.map(({ detail }) => detail)).toEqual([
    '6 is kept, entries sum to 5',
    '6 is kept, lots hold 5',
    '6 is kept, 5 was written',
  ])
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute('UPDATE ledger.account SET balance = 5 WHERE owner_id = $1', [accountId])
  })
})
