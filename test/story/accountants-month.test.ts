/**
 * A month of forty buyers, from their first payment to the closed books: every figure of its report is recomputed from the raw tables,
 * and nothing that happens later changes a byte of it.
 */
import { beforeAll, expect, test } from 'vitest'
import { indianDayOf } from '../../src/domain/iso-date.ts'
import { closeLedgerDay } from '../../src/orders/close-ledger-day.ts'
import type { PaymentEvent } from '../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../src/orders/payments/receive-event.ts'
import { gstinOf, insertContact, insertGst } from '../integration/orders/world.ts'
import { newCustomer, operatorToken, recordJobs, type TestApi, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { letDaysPass, usePaymentWorld } from '../support/payment-world.ts'
import { type Buyer, type Money, objected, scripts } from './month/buyers.ts'
import { documentsOf, flowsOf, lotsOf, paymentsOf, standingOf } from './month/recompute.ts'
import { refundsAndTerms } from './month/refunds-and-terms.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
const month = monthBefore(indianDayOf(new Date()).slice(0, 7))
const everyScript = [...scripts, ...refundsAndTerms]
const buyers: Buyer[] = []
const money: Money[] = []
let earlier: Buyer

function monthBefore(name: string): string {
  const [year = 0, number = 0] = name.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}
const newBuyer = async (): Promise<Buyer> => ({ customer: await newCustomer(api, database), database, world })
const accountOf = ({ customer }: Buyer) => customer.accountId
const run = (name: string, buyer: Buyer) => {
  const script = everyScript.find(([each]) => each === name)
  if (!script) throw new Error(`nobody ${name}`)
  return script[1](buyer)
}

/** All that these buyers did so far was done at some share of the month: 0 is its first instant, 1 its last. */
async function happenedIn(name: string, accounts: readonly string[], share: number): Promise<void> {
  const at = `(SELECT least(first + (last - first) * $3::float8, last - interval '1 microsecond') FROM (
    SELECT $2::date::timestamp AT TIME ZONE 'Asia/Kolkata' AS first, ($2::date + interval '1 month') AT TIME ZONE 'Asia/Kolkata' AS last) AS month)`
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `UPDATE ledger.transfer SET created_at = ${at}
       WHERE customer_id IN (SELECT ledger_account_id FROM ledger.account WHERE owner_id = ANY ($1))`,
      [accounts, `${name}-01`, share],
    )
    await tx.execute(`UPDATE orders.invoice SET issued_at = ${at} WHERE account_id = ANY ($1)`, [
      ...[accounts, `${name}-01`, share],
    ])
  })
}

const at = (path: string) => api.get(`/admin/ledger/months/${month}${path}`, operatorToken)
const parts = ['trial_balance', 'revenue', 'sums', 'documents', 'journal'] as const
/** Byte for byte. */
async function wholeReport(): Promise<readonly string[]> {
  const replies = [await at('')]
  for (const part of parts) replies.push(await at(`/export?part=${part}`))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
  return replies.map(({ body }) => body)
}
async function rowsOf(part: (typeof parts)[number]): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await at(`/export?part=${part}`)).body.trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell])))
}
const inRupees = { currency: 'INR' } as const
const paise = (rupees = '0') => Math.round(Number(rupees) * 100)

beforeAll(async () => {
  for (let serial = 1; serial <= objected; serial++) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  await database.db.execute(
    `INSERT INTO access.suppression (kind, hash, key_id, created_by)
     VALUES ('email', access.suppression_hash('email', $1), access.suppression_key_id(), 'test')`,
    [`gst${objected}@example.in`],
  )
}, 180_000)

test('forty buyers buy, use, dispute and give back, and the ledger agrees', { timeout: 400_000 }, async () => {
  earlier = await newBuyer()
  await run('uses a part of a pack', earlier)
  await closeLedgerDay(database.as('panji_worker'))
  await happenedIn(monthBefore(month), [accountOf(earlier)], 1)
  for (const [, script] of [...everyScript, ...everyScript].slice(0, 40)) {
    const buyer = await newBuyer()
    buyers.push(buyer)
    money.push(await script(buyer))
  }
  expect(buyers).toHaveLength(40)
  // Twice: what the first run lets lapse is income of the same night, and the second one finds nothing.
  await closeLedgerDay(database.as('panji_worker'))
  const again = await closeLedgerDay(database.as('panji_worker'))
  expect(again).toMatchObject({ releasedCredits: 0, settledCredits: 0, lapsedCredits: 0 })
  for (const [place, buyer] of buyers.entries())
    await happenedIn(month, [accountOf(buyer)], place / (buyers.length - 1))
  expect(await world.violations()).toEqual([])
  expect(world.box.notices().filter(({ status }) => status !== 200)).toEqual([])
})

test('every sum of the report is what payments, documents, lots and accounts make it', async () => {
  const report = (await at('')).json()
  const accounts = buyers.map(accountOf)
  const [paid, flow, standing] = [
    await paymentsOf(database.db, accounts),
    await flowsOf(database.db, month),
    await standingOf(database.db, month),
  ]
  const sum = (of: (each: Money) => number | undefined) => money.reduce((all, each) => all + (of(each) ?? 0), 0)
  // What the buyers say themselves.
  expect([paid.paid, paid.refunded, paid.charged]).toEqual([
    sum(({ sold }) => sold),
    sum(({ back }) => back),
    sum(({ taken }) => taken),
  ])
  expect(report).toMatchObject({
    ...{ sold: paid.paid - paid.tax, sold_tax: paid.tax },
    ...{ refunds: paid.refunded - paid.refundedTax, refunds_tax: paid.refundedTax },
    ...{ chargebacks: paid.charged - paid.chargedTax, chargebacks_tax: paid.chargedTax },
    revenue: flow('earned', 'unearned') - flow('refunds', 'earned'),
    breakage: flow('breakage', 'unearned') - flow('refunds', 'breakage'),
    ...{ fees: flow('payments', 'fees'), fee_taxes: flow('payments', 'fee_taxes') },
    ...{ collected: flow('receivables', 'payments'), written_off: flow('receivables', 'losses') },
    ...{ receivables: standing.get('receivables paise'), deferred: -(standing.get('unearned paise') ?? 0) },
  })
  expect(report.breakage).toBeGreaterThan(0)
  const lots = await lotsOf(database.db, accounts)
  const before = await lotsOf(database.db, [accountOf(earlier)])
  const owed = [...lots, ...before].reduce((all, lot) => all + lot.owed, 0)
  expect(report.deferred).toBe(owed)
  type Revenue = { product: string; earned: number; breakage: number }
  expect(
    report.revenue_by_product.map(({ product, earned, breakage }: Revenue) => [product, earned + breakage]),
  ).toEqual(lots.map(({ product, earned }) => [product, earned]))
  const balances = report.trial_balance as Record<'account' | 'currency' | 'debit' | 'credit', string & number>[]
  const told = balances.map(
    ({ account, currency, debit, credit }) => [`${account} ${currency}`, debit - credit] as const,
  )
  expect(told).toEqual(told.map(([account]) => [account, standing.get(account) ?? 0]))
})

test('its documents are those that were issued, and its journal is the way from one trial balance to the next', async () => {
  const documents = await rowsOf('documents')
  const issued = await documentsOf(database.db, month)
  const byNumber = documents.toSorted((one, other) => ((one['number'] ?? '') < (other['number'] ?? '') ? -1 : 1))
  expect(
    byNumber.map(({ number, taxable_value, igst, cgst, sgst, value, against }) => [
      ...[number, paise(taxable_value), paise(igst) + paise(cgst) + paise(sgst), paise(value), against],
    ]),
  ).toEqual(issued.map(({ number, net, tax, total, against }) => [number, net, tax, total, against ?? '']))
  const sum = (series: string) =>
    issued.filter((each) => each.series === series).reduce((all, { total }) => all + total, 0)
  const report = (await at('')).json()
  expect(sum('PI')).toBe(report.sold + report.sold_tax)

  const journal = await rowsOf('journal')
  const moved = new Map<string, number>()
  for (const { debit = '', credit = '', amount } of journal) {
    moved.set(debit, (moved.get(debit) ?? 0) + paise(amount))
    moved.set(credit, (moved.get(credit) ?? 0) - paise(amount))
  }
  const [then, now] = [await standingOf(database.db, monthBefore(month)), await standingOf(database.db, month)]
  for (const [account, change] of moved) {
    const name = `${account} paise`
    expect([account, change]).toEqual([account, (now.get(name) ?? 0) - (then.get(name) ?? 0)])
  }
  expect(new Set(journal.map(({ kind }) => kind))).toEqual(
    new Set([
      ...['payment', 'tax', 'fee', 'fee_tax', 'earn', 'lapse', 'repay', 'repay_tax', 'unsell', 'unearn'],
      ...['owe', 'overpay', 'collect', 'write_off'],
    ]),
  )
})

test('once it is closed no later fact changes a byte of it, and each of them stands in the month that is open', async () => {
  const open = (await at('')).json()
  const closed = await api.post(`/admin/ledger/months/${month}/close`, operatorToken, { reason: 'reported' })
  expect(closed.json()).toEqual({ ...open, closed: true, closed_at: expect.any(String) })
  const report = await wholeReport()

  const money = await paymentsOf(database.db, buyers.map(accountOf))
  const [used, won] = [buyers[0], buyers[7]]
  if (!used || !won) throw new Error('there are forty')
  const payments = await database.db.query<{ id: string }>(
    `SELECT payment_id AS id FROM orders.payment JOIN orders.checkout USING (checkout_id) WHERE account_id = ANY ($1)`,
    [[used, won].map(accountOf)],
  )
  const [first, second] = payments.map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('each of them bought a pack')
  const later: readonly PaymentEvent[] = [
    {
      name: 'refund',
      kind: 'repaid',
      refund: { ...inRupees, refundId: 'later', paymentId: first, amount: 59_000, cause: 'refund' },
    },
    {
      name: 'dispute',
      kind: 'disputed',
      dispute: { ...inRupees, disputeId: 'late', paymentId: second, amount: 118_000, state: 'lost', deducted: 118_000 },
    },
  ]
  const eventOrigin = { provider: 'razorpay', seller: world.settings.seller, source: 'webhook' } as const
  for (const event of later) await receiveEvent(database.as('panji_api'), recordJobs(), eventOrigin, event)
  await run('charges a pack back that was used', await newBuyer())
  await letDaysPass(database, accountOf(earlier), 367)
  await closeLedgerDay(database.as('panji_worker'))
  const after = await paymentsOf(database.db, buyers.map(accountOf))
  expect(after.refunded + after.charged).toBeGreaterThan(money.refunded + money.charged)

  expect(await wholeReport()).toEqual(report)
  const now = (await api.get(`/admin/ledger/months/${indianDayOf(new Date()).slice(0, 7)}`, operatorToken)).json()
  expect([now.sold + now.sold_tax, now.refunds + now.refunds_tax, now.chargebacks + now.chargebacks_tax]).toEqual([
    118_000, 59_000, 236_000,
  ])
  expect(now.breakage).toBeGreaterThan(0)
  expect(await world.violations()).toEqual([])
})
