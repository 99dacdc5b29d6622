import { beforeAll, expect, test } from 'vitest'
import { lowCredits } from '../../../config/sales.ts'
import { databaseFault } from '../../../src/db/database-fault.ts'
import { AppError } from '../../../src/errors.ts'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import type { RequestedItem } from '../../../src/orders/order-items.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { useTestDatabase } from '../../support/database.ts'
import {
  buildJobsOf,
  cinOf,
  createAccount,
  gstinOf,
  insertCompany,
  insertContact,
  insertDirector,
  insertGst,
  useTestQueue,
} from './world.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.url)
const settings = { onlineLabel: 'razorpay' }
const gst = (serial: number): RequestedItem => ({ type: 'gst', name: `Taxpayer ${serial}`, number: gstinOf(serial) })

beforeAll(async () => {
  const { db } = database
  for (let serial = 101; serial <= 300; serial++) {
    await insertGst(db, gstinOf(serial))
    await insertContact(db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  for (const serial of [1, 2, 3]) await insertGst(db, gstinOf(serial))
  await insertContact(db, 'gst', gstinOf(1), { email: 'one@example.in' })
  await insertContact(db, 'gst', gstinOf(2), { mobile: '+919812345678' })
  await insertContact(db, 'gst', gstinOf(3), { website: 'https://three.example.in' })
  await insertCompany(db, cinOf(1), { email: 'office@example.in' })
  await insertCompany(db, 'AAC-3965', { company_type: 'LLP' })
  await insertDirector(db, '00012345')
  await insertContact(db, 'director', '00012345', { phone: '0832-2222222' })
})

const place = (accountId: string, items: readonly RequestedItem[], paymentOption = 'credits') =>
  placeOrder(database.db, jobs.queue, settings, { accountId, orderName: 'Pilot', paymentOption, items })

async function rowsOf(accountId: string): Promise<number> {
  const [row] = await database.db.query<{ rows: number }>(
    `SELECT (SELECT count(*) FROM orders.purchase WHERE account_id = $1)
          + (SELECT count(*) FROM ledger.entry JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1) AS rows`,
    [accountId],
  )
  return row?.rows ?? -1
}

test('an order of three GST registrations, one without contact data, costs two credits net', async () => {
  const accountId = await createAccount(database.db, 5)
  const order = await place(accountId, [gst(1), gst(2), gst(3)])
  expect(order).toMatchObject({
    status: 'completed',
    paymentStatus: 'paid',
    paymentOption: 'credits',
    totalAmount: 3,
    refundedAmount: 1,
    itemsCount: 3,
  })
  expect(await creditStatement(database.db, accountId)).toEqual([
    expect.objectContaining({ balance: 3, total_credits: 5, used_credits: 2 }),
  ])
  expect(await buildJobsOf(database.db, order.orderId)).toBe(1)
})

test('identifiers are stored in canonical spelling, and a company e-mail or a phone counts as contact data', async () => {
  const accountId = await createAccount(database.db, 4)
  const order = await place(accountId, [
    { type: 'company', name: 'A', number: cinOf(1).toLowerCase() },
    { type: 'company', name: 'B', number: 'aac3965' },
    { type: 'director', name: 'C', number: '12345' },
    { type: 'gst', name: 'D', number: ` ${gstinOf(1).toLowerCase()} ` },
  ])
  const items = await database.db.query(
    'SELECT identifier, has_contact, refunded_at IS NOT NULL AS refunded FROM orders.item WHERE order_id = $1 ORDER BY position',
    [order.orderId],
  )
  expect(items).toEqual([
    { identifier: cinOf(1), has_contact: true, refunded: false },
    { identifier: 'AAC-3965', has_contact: false, refunded: true },
    { identifier: '00012345', has_contact: true, refunded: false },
    { identifier: gstinOf(1), has_contact: true, refunded: false },
  ])
})

test('too few credits write nothing and say how many are needed', async () => {
  const accountId = await createAccount(database.db, 1)
  const before = await rowsOf(accountId)
  await expect(place(accountId, [gst(1), gst(2)])).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDITS',
    message: 'It costs 2 credits, and 1 can be spent on it. Nothing was written.',
    httpStatus: 400,
    extra: { required: 2, balance: 1 },
  })
  expect(await rowsOf(accountId)).toBe(before)
})

test.each<[string, RequestedItem[], object]>([
  [
    'a malformed GSTIN',
    [gst(1), { type: 'gst', name: 'X', number: '27AABCU9603R1ZM' }],
    {
      code: 'UNPROCESSABLE',
      message: expect.stringContaining('items[1]'),
      extra: expect.objectContaining({ index: 1 }),
    },
  ],
  [
    'a malformed DIN',
    [{ type: 'director', name: 'X', number: '00000000' }],
    { code: 'UNPROCESSABLE', extra: expect.objectContaining({ index: 0, indexes: [0] }) },
  ],
  [
    'the same record in two spellings',
    [gst(1), gst(2), { ...gst(1), number: gstinOf(1).toLowerCase() }],
    { code: 'UNPROCESSABLE', extra: { index: 2, indexes: [0, 2] } },
  ],
  [
    'records that no register holds',
    [gst(1), gst(77), gst(2), gst(78)],
    { code: 'NOT_FOUND', message: expect.stringContaining(gstinOf(77)), extra: { index: 1, indexes: [1, 3] } },
  ],
  ['no item', [], { code: 'BAD_REQUEST' }],
  ['1,001 items', Array.from({ length: 1001 }, (_, serial) => gst(serial)), { code: 'BAD_REQUEST' }],
])('an order with %s is refused and writes nothing', async (_, items, error) => {
  const accountId = await createAccount(database.db, 5)
  const before = await rowsOf(accountId)
  await expect(place(accountId, items)).rejects.toMatchObject(error)
  expect(await rowsOf(accountId)).toBe(before)
})

test.each(['online', 'razorpay', 'cash'])(
  'payment by %s is refused, for no processor is configured',
  async (option) => {
    const accountId = await createAccount(database.db, 5)
    await expect(place(accountId, [gst(1)], option)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await creditBalance(database.db, accountId)).toBe(5)
  },
)

test('of 200 parallel orders with credits for 100, exactly 100 succeed and nothing is left', async () => {
  const accountId = await createAccount(database.db, 100)
  // Whoever waits five seconds for a connection is told to ask again, on a machine that is busy.
  const ask = (n: number): ReturnType<typeof place> =>
    place(accountId, [gst(101 + n)]).catch((error: unknown) => {
      const told = error instanceof Error && !(error instanceof AppError) ? databaseFault(error) : error
      if (told instanceof AppError && told.code === 'UNAVAILABLE') return ask(n)
      throw error
    })
  const results = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(n)))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  expect(refusals).toEqual(Array.from({ length: 100 }, () => expect.objectContaining({ code: 'INSUFFICIENT_CREDITS' })))
  expect(await creditBalance(database.db, accountId)).toBe(0)
  const [orders] = await database.db.query('SELECT count(*) AS count FROM orders.purchase WHERE account_id = $1', [
    accountId,
  ])
  expect(orders).toEqual({ count: 100 })
})

test('an order whose lead build cannot be enqueued leaves neither order nor movement behind', async () => {
  const accountId = await createAccount(database.db, 5)
  const before = await rowsOf(accountId)
  const broken = { send: () => Promise.reject(new Error('the queue is away')) }
  const request = { accountId, orderName: 'Pilot', paymentOption: 'credits', items: [gst(1), gst(3)] }
  await expect(placeOrder(database.db, broken, settings, request)).rejects.toThrow('the queue is away')
  expect(await rowsOf(accountId)).toBe(before)
})

test('accounts that order at the same time do not wait for each other into a deadlock', async () => {
  const accountIds = await Promise.all(Array.from({ length: 8 }, () => createAccount(database.db, 10)))
  const orders = await Promise.all(
    accountIds.flatMap((accountId) => Array.from({ length: 5 }, (_, n) => place(accountId, [gst(101 + n), gst(3)]))),
  )
  expect(orders).toHaveLength(40)
  const balances = await Promise.all(accountIds.map((accountId) => creditBalance(database.db, accountId)))
  expect(balances).toEqual(accountIds.map(() => 5))
})

test('an account hears that its credits run low when an order takes them below the bound, and not at the next one', async () => {
  const accountId = await createAccount(database.db, lowCredits + 2)
  const told = () =>
    database.db.query('SELECT type, data FROM deliver.mail WHERE account_id = $1 ORDER BY created_at', [accountId])
  await place(accountId, [gst(101), gst(102)])
  expect(await told()).toEqual([])
  await place(accountId, [gst(103)])
  const low = { type: 'credits.low', data: { balance: lowCredits - 1, below: lowCredits } }
  expect(await told()).toEqual([low])
  await place(accountId, [gst(104)])
  expect(await told()).toEqual([low])
})
