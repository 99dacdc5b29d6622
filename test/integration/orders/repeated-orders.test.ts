import { beforeAll, expect, test } from 'vitest'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useOrderApi } from './api.ts'
import { createAccount, gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const api = useOrderApi(database)

beforeAll(async () => {
  for (const serial of [1, 2]) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: 'office@example.in' })
  }
})

const order = (serial: number) => ({
  orderName: 'Pilot',
  paymentOption: 'credits',
  items: [{ type: 'gst', name: 'Taxpayer', number: gstinOf(serial) }],
})
const lead = (serial: number) => ({ entity_type: 'gst', identifier: gstinOf(serial) })
const routes = [
  ['/api/orders/normal', order],
  ['/api/crm/newlead', lead],
] as const

const ordersOf = async (accountId: string) =>
  (await database.db.query('SELECT FROM orders.purchase WHERE account_id = $1', [accountId])).length

/** As a client does it: "still running" is asked again. */
async function settled(call: () => ReturnType<typeof api.post>, attemptsLeft = 200) {
  const reply = await call()
  if (reply.statusCode !== 409) return reply
  expect(reply.json().error_code).toBe('IDEMPOTENCY_IN_PROGRESS')
  expect(reply.headers['retry-after']).toBe('1')
  if (attemptsLeft === 0) throw new Error('the first request never ended')
  return settled(call, attemptsLeft - 1)
}

test.each(routes)(
  '%s sent 50 times at once under one key is one order, one charge and one answer',
  async (url, body) => {
    const accountId = await createAccount(database.db, 10)
    const call = () => api.post(accountId, url, body(1), { 'idempotency-key': 'key-1' })
    await api.get(accountId, '/api/orders')
    const jobs = api.queue.sent.length
    const replies = await Promise.all(Array.from({ length: 50 }, () => settled(call)))
    expect(new Set(replies.map(({ statusCode, body: text }) => `${statusCode} ${text}`)).size).toBe(1)
    expect(replies[0]?.statusCode).toBe(201)
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    expect(await ordersOf(accountId)).toBe(1)
    expect(await creditBalance(database.db, accountId)).toBe(9)
    expect(api.queue.sent.length - jobs).toBe(1)
  },
)

test.each(routes)('%s refuses a used key with another body, and writes nothing', async (url, body) => {
  const accountId = await createAccount(database.db, 10)
  const headers = { 'idempotency-key': 'key-2' }
  expect((await api.post(accountId, url, body(1), headers)).statusCode).toBe(201)
  const other = await api.post(accountId, url, body(2), headers)
  expect([other.statusCode, other.json().error_code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  expect(await ordersOf(accountId)).toBe(1)
})

test.each(routes)('%s under the key of another account is an order of its own', async (url, body) => {
  const accounts = [await createAccount(database.db, 10), await createAccount(database.db, 10)]
  const replies = await Promise.all(
    accounts.map((accountId) => api.post(accountId, url, body(1), { 'idempotency-key': 'shared' })),
  )
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  expect(new Set(replies.map(({ body: text }) => text)).size).toBe(2)
  expect(await Promise.all(accounts.map(ordersOf))).toEqual([1, 1])
})

test.each(routes)('%s that dies before its commit leaves no order and no answer behind its key', async (url, body) => {
  const accountId = await createAccount(database.db, 10)
  const call = () => api.post(accountId, url, body(1), { 'idempotency-key': 'key-3' })
  // The fault strikes where the answer is kept, after everything else of the order was written.
  await database.db.execute(
    `CREATE FUNCTION access.die() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'cut off'; END $$`,
  )
  await database.db.execute(
    `CREATE TRIGGER die BEFORE UPDATE ON access.idempotency FOR EACH ROW WHEN (NEW.status = 201)
     EXECUTE FUNCTION access.die()`,
  )
  expect((await call()).statusCode).toBe(500)
  await database.db.execute('DROP FUNCTION access.die CASCADE')
  expect([await ordersOf(accountId), await creditBalance(database.db, accountId)]).toEqual([0, 10])
  expect((await call()).statusCode).toBe(201)
  expect([await ordersOf(accountId), await creditBalance(database.db, accountId)]).toEqual([1, 9])
})
