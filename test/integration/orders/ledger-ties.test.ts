/**
 * What `ledger check` looks for, each invariant broken on purpose: by rows that only somebody who switches the guards of the server off
 * can write. Each plant is undone; together they break every invariant there is.
 */
import { beforeAll, expect, test } from 'vitest'
import { sellCredits } from '../../../src/orders/ledger-money.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { type LoggedIn, newCustomer, operatorToken, recordJobs, useApi } from '../../support/api.ts'
import { addCredits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { answerOfCrm, sendToCrm } from './money-life/crm.ts'
import { createAccount, gstinOf, insertContact, insertGst, insertRow, takenPayment } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
const world = usePaymentWorld(database)

const undone = new Error('undone')

/** A payment of which a part went back, and another beside it. */
async function soldAndPartlyTakenBack(): Promise<void> {
  const { db } = database
  const sale = { credits: 100, net: 100_000, tax: 18_000, fee: 2_360, feeTax: 360 }
  const accountId = await createAccount(db)
  for (const paymentId of ['kept', 'beside']) {
    const reference = await takenPayment(db, accountId, { paymentId, ...sale })
    await db.transaction((tx) => sellCredits(tx, accountId, { ...sale, reference }))
  }
  await receiveEvent(
    db,
    recordJobs(),
    { provider: 'test', seller: undefined, source: 'webhook' },
    {
      ...{ name: 'back', kind: 'repaid' },
      refund: { refundId: 'part', paymentId: 'kept', amount: 47_200, currency: 'INR', cause: 'refund' },
    },
  )
}

async function order(customer: LoggedIn, orderName: string, serials: readonly number[]): Promise<string> {
  const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const body = { orderName, paymentOption: 'credits', items }
  const reply = await world.call('POST', '/api/orders/normal', customer, body)
  expect(reply.statusCode).toBe(201)
  return String(reply.json()._id)
}

/** Rows that were spent on, given back, owned already, held, and settled by a CRM; and a plan that was bought with credits. */
async function boughtAndDelivered(): Promise<void> {
  const { db } = database
  for (const serial of [1, 2, 3, 4]) {
    await insertGst(db, gstinOf(serial), { status: 'Active' })
    await insertContact(db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  await world.box.pay(payment.id)
  const spent = await order(customer, 'spent', [1, 2])
  await api.post(`/admin/orders/${spent}/refund`, operatorToken, { reason: 'wrong', items: [0] })
  await order(customer, 'copy', [2])
  const { accountId: account_id } = customer
  const settings = { name: 'mine', connector: 'hubspot', settings_encrypted: Buffer.alloc(1), deliver: 'automatic' }
  await insertRow(db, 'deliver.destination', { account_id, remote_account: account_id, ...settings })
  const held = await order(customer, 'held', [3, 4])
  await sendToCrm(db, held)
  await answerOfCrm(db, { order: held, rows: [0], answer: 'acknowledged' })
  await db.execute(
    `SELECT ledger.settle_items(ARRAY(SELECT item_id FROM orders.item WHERE order_id = $1 AND position = 0), 'delivered')`,
    [held],
  )
  await addCredits(db, account_id, 5_000)
  const term = await world.call('POST', '/api/plans/premium-month/buy', customer, { payment_option: 'credits' })
  expect(term.statusCode).toBe(201)
}

beforeAll(async () => {
  await soldAndPartlyTakenBack()
  await boughtAndDelivered()
})

const kept = `payment_id = 'kept' AND provider = 'test'`
const ofOrder = (name: string) => `order_id = (SELECT order_id FROM orders.purchase WHERE order_name = '${name}')`
const ofKind = (kind: string) =>
  `kind = '${kind}' AND transfer_id = (SELECT max(transfer_id) FROM ledger.transfer WHERE kind = '${kind}')`
const houseAccount = (kind: string) => `(SELECT ledger_account_id FROM ledger.account WHERE kind = '${kind}')`
const theHeldRow = `${ofOrder('held')} AND position = 1`
const anotherAccount = '(SELECT account_id FROM access.account ORDER BY created_at LIMIT 1)'

/** The rows that are planted, one each, and all that the proof says of it. */
const plants: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a transfer from credits to rupees',
    `UPDATE ledger.transfer SET to_id = ${houseAccount('earned')} WHERE ${ofKind('spend')}`,
    ['a kind fixes its accounts', 'a transfer keeps to one currency', 'both currencies sum to zero'],
  ],
  [
    'a spend that went to another account of the house',
    `UPDATE ledger.transfer SET to_id = ${houseAccount('lapsed')} WHERE ${ofKind('spend')}`,
    ['a kind fixes its accounts'],
  ],
  [
    'a balance that no entry explains',
    `UPDATE ledger.account SET balance = balance + 1 WHERE owner_id = (SELECT account_id FROM orders.purchase WHERE order_name = 'spent')`,
    [
      'a kept balance is the sum of its entries',
      'lots make up the balance',
      'the last entry of an account tells its balance',
    ],
  ],
  [
    'a lot of which more is used than was spent',
    `UPDATE ledger.lot SET used = used + 1 WHERE sale = 'payment:test:beside'`,
    ['a lot is the sum of its entries', 'lots make up the balance'],
  ],
  [
    'a charge of which no row tells',
    `UPDATE orders.item SET charge_id = NULL WHERE ${ofOrder('spent')} AND position = 1`,
    ['every spend has its items', 'what comes without a charge was paid for elsewhere'],
  ],
  [
    'credits for a plan, and no term',
    `DELETE FROM access.subscription_term`,
    ['credits that went for time have their term'],
  ],
  [
    'a credit given back of a row that is not marked',
    `UPDATE orders.item SET refunded_at = NULL WHERE ${ofOrder('spent')} AND position = 0`,
    ['an item is refunded once, and its refund is its mark'],
  ],
  [
    'a row marked, and no credit given back',
    `UPDATE orders.item SET refunded_at = now() WHERE ${ofOrder('spent')} AND position = 1`,
    ['an item is refunded once, and its refund is its mark', 'what comes without a charge was paid for elsewhere'],
  ],
  [
    'a copy whose charge was taken back',
    `UPDATE orders.item SET withdrawn_at = now() WHERE ${ofOrder('spent')} AND position = 1`,
    ['what comes without a charge was paid for elsewhere'],
  ],
  [
    'a settlement of which no row tells',
    `UPDATE orders.item SET settled_id = NULL WHERE ${ofOrder('held')} AND position = 0`,
    ['every settlement has its items', 'what a CRM acknowledged is spent'],
  ],
  [
    'a row that a CRM has, and whose credit is held',
    `UPDATE deliver.delivery SET state = 'acknowledged' WHERE item_id = (SELECT item_id FROM orders.item WHERE ${theHeldRow})`,
    ['what a CRM acknowledged is spent'],
  ],
  [
    'a held row that was taken back',
    `UPDATE orders.item SET withdrawn_at = now() WHERE ${theHeldRow}`,
    ['a held row is to be delivered'],
  ],
  [
    'a held row of an order that is not paid',
    `UPDATE orders.purchase SET payment_status = 'pending' WHERE order_name = 'held'`,
    ['a held row is to be delivered'],
  ],
  ['a held row that can go nowhere', `DELETE FROM deliver.destination`, ['a held row is to be delivered']],
  [
    'a delivery under another order',
    `UPDATE deliver.delivery SET order_id = (SELECT order_id FROM orders.purchase WHERE order_name = 'spent') WHERE state = 'pending'`,
    ['a delivery is of a row that its account bought'],
  ],
  [
    'a delivery to another account',
    `UPDATE deliver.destination SET account_id = ${anotherAccount}`,
    ['a delivery is of a row that its account bought', 'a held row is to be delivered'],
  ],
  [
    'a delivery of a row that nobody was charged for',
    `UPDATE orders.item SET charge_id = NULL WHERE ${theHeldRow}`,
    ['a delivery is of a row that its account bought', 'every spend has its items'],
  ],
  [
    'money that went back, and is of nothing',
    `DELETE FROM ledger.transfer WHERE kind = 'unsell'`,
    ['a lot is the sum of its entries', 'refunds pass through to what they are of'],
  ],
  [
    'a credit note above its invoice',
    `UPDATE orders.invoice SET net = net + 100000, total = total + 100000 WHERE reference = 'repayment:test:part'`,
    ['credit notes take back no more than their invoice', 'money that went back has its credit note'],
  ],
  [
    'goods of a sale of which all money went back',
    `INSERT INTO orders.repayment (provider, refund_id, payment_id, order_id, checkout_id, cause, amount, currency)
     SELECT provider, 'whole', payment_id, order_id, checkout_id, 'refund', amount, currency FROM orders.payment WHERE provider <> 'test'`,
    [
      'a sale whose money went back leaves no credit',
      'a sale whose money went back leaves no goods',
      'money that an account left is behind its credits, its goods and its debts',
      'money that went back is as its processor told it',
      'money that went back is booked as it went',
    ],
  ],
  [
    'a payment that is gone',
    `DELETE FROM orders.payment WHERE ${kept}`,
    [
      'a document has its movement',
      'a refund takes credits of its own sale alone',
      'booked money came by a payment',
      'money that an account left is behind its credits, its goods and its debts',
      'purchased credits were paid for',
    ],
  ],
  [
    'a payment of another sum',
    `UPDATE orders.payment SET amount = amount + 1 WHERE ${kept}`,
    [
      'a payment has its invoice',
      'a payment is as its processor told it',
      'a payment is booked as it came',
      'money that an account left is behind its credits, its goods and its debts',
    ],
  ],
  [
    'a payment that no processor told of',
    `DELETE FROM orders.payment_event WHERE ${kept} AND outcome = 'paid'`,
    ['a payment is as its processor told it'],
  ],
  [
    'a refund that no processor told of',
    `UPDATE orders.payment_event SET amount = amount + 1 WHERE ${kept} AND refund_id = 'part'`,
    ['money that went back is as its processor told it'],
  ],
  [
    'money that is behind no credits',
    `UPDATE ledger.lot SET paid = paid - 1 WHERE sale = 'payment:test:kept'`,
    ['a lot is the sum of its entries', 'money that an account left is behind its credits, its goods and its debts'],
  ],
  [
    'credits whose money went back',
    `UPDATE ledger.lot SET total = total + 1 WHERE sale = 'payment:test:kept'`,
    [
      'a lot is the sum of its entries',
      'credits to be spent were paid for by money that stayed',
      'lots make up the balance',
    ],
  ],
  [
    'a payment of another account',
    `UPDATE orders.checkout SET account_id = (SELECT account_id FROM access.account WHERE account_id <> checkout.account_id LIMIT 1)
     WHERE checkout_id = (SELECT checkout_id FROM orders.payment WHERE ${kept})`,
    [
      'a payment has its invoice',
      'a payment is booked as it came',
      'money that an account left is behind its credits, its goods and its debts',
      'purchased credits were paid for',
    ],
  ],
  [
    'an invoice that is gone',
    `DELETE FROM orders.invoice WHERE reference = 'payment:test:kept'`,
    ['a payment has its invoice'],
  ],
  [
    'a credit note that is gone',
    `DELETE FROM orders.invoice WHERE reference = 'repayment:test:part'`,
    ['money that went back has its credit note'],
  ],
  [
    'a refund that is gone',
    `DELETE FROM orders.repayment WHERE refund_id = 'part'`,
    [
      'a document has its movement',
      'booked money went back by the processor',
      'money that an account left is behind its credits, its goods and its debts',
    ],
  ],
  [
    'a refund of another sum',
    `UPDATE orders.repayment SET amount = amount + 1 WHERE refund_id = 'part'`,
    [
      'money that an account left is behind its credits, its goods and its debts',
      'money that went back is as its processor told it',
      'money that went back is booked as it went',
    ],
  ],
  [
    'credits of another sale that went with a refund',
    `UPDATE ledger.transfer SET lot_id = (SELECT lot_id FROM ledger.lot WHERE sale = 'payment:test:beside')
     WHERE kind = 'revoke' AND reference = 'repayment:test:part'`,
    ['a lot is the sum of its entries', 'a refund takes credits of its own sale alone'],
  ],
  [
    'a sale of which all money went back, and credits are left',
    `UPDATE orders.repayment SET amount = 118000 WHERE refund_id = 'part'`,
    [
      'a sale whose money went back leaves no credit',
      'credits to be spent were paid for by money that stayed',
      'money that an account left is behind its credits, its goods and its debts',
      'money that went back is as its processor told it',
      'money that went back is booked as it went',
    ],
  ],
]

test.each(plants)('the proof finds %s', async (_, planted, found) => {
  const { db } = database
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
  const said: string[] = []
  const planting = db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    expect(await tx.execute(planted)).toBe(1)
    const rows = await tx.query<{ invariant: string }>('SELECT DISTINCT invariant FROM ledger.violations() ORDER BY 1')
    said.push(...rows.map(({ invariant }) => invariant))
    throw undone
  })
  await expect(planting).rejects.toBe(undone)
  expect(said).toEqual(found)
})

test('no invariant of the proof is without a plant that breaks it', async () => {
  const [proof] = await database.db.query<{ text: string }>(
    `SELECT string_agg(pg_get_functiondef(oid), ' ') AS text FROM pg_proc
     WHERE oid IN ('ledger.violations'::regproc, 'ledger.unmatched'::regproc)`,
  )
  const looksFor = [...(proof?.text ?? '').matchAll(/SELECT '([^']{12,})',/g)].map(([, name = '']) => name)
  expect(looksFor.length).toBeGreaterThan(30)
  expect([...new Set(plants.flatMap(([, , found]) => found))].sort()).toEqual(looksFor.sort())
})
