/**
 * The process that serves a purchase is killed in the middle of it: its Idempotency-Key is free within seconds, the
 * repeat at another process succeeds, and everything happened once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test, vi } from 'vitest'
import { newCustomer, secretKey, type TestApi, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, orderBody } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { runNode } from '../support/run-node.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
beforeAll(() => fillRegisters(database.db))

const purchases = [
  { url: '/api/orders/normal', body: orderBody, made: 'SELECT count(*) FROM orders.purchase WHERE account_id = $1' },
  {
    url: '/api/plans/premium-month/buy',
    body: { payment_option: 'credits' },
    made: 'SELECT count(*) FROM access.subscription_term JOIN access.subscription USING (subscription_id) WHERE account_id = $1',
  },
]

test.each(purchases)('$url: killed while it waits for the account', async ({ url, body, made }) => {
  const script = fileURLToPath(new URL('../support/api-child.ts', import.meta.url))
  const { child, line, ended } = runNode(script, [database.url, secretKey.reveal()])
  const [, , base = ''] = (await line('ready ')).split(' ')
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 1000)
  const headers = { 'idempotency-key': 'bought-once' }
  let unanswered: Promise<unknown> = Promise.resolve()
  await database.db.transaction(async (tx) => {
    // While the ledger of the account are held, the child stands in the middle of its transaction.
    await tx.query('SELECT FROM ledger.account WHERE owner_id = $1 FOR UPDATE', [customer.accountId])
    unanswered = fetch(`${base}${url}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      () => 'answered',
      () => 'cut',
    )
    await vi.waitFor(
      async () => {
        const waiting = await database.db.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'panji-fault-api' AND wait_event_type = 'Lock'`,
        )
        expect(waiting).toHaveLength(1)
      },
      { timeout: 60_000, interval: 20 },
    )
    child.kill('SIGKILL')
    await ended
  })
  expect(await unanswered).toBe('cut')
  const replies = [await api.post(url, customer.token, body, headers)]
  // As the answer says: the key is held by a request that may still be running.
  while (replies.at(-1)?.statusCode === 409 && replies.length < 10) {
    await delay(1000 * Number(replies.at(-1)?.headers['retry-after']))
    replies.push(await api.post(url, customer.token, body, headers))
  }
  expect(replies.at(-1)?.statusCode).toBe(201)
  const again = await api.post(url, customer.token, body, headers)
  expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', replies.at(-1)?.body])
  expect(await database.db.query(made, [customer.accountId])).toEqual([{ count: 1 }])
  expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
})
