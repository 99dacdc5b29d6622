/** A worker's and a scheduler's own port: alive, ready, and its numbers, read with the rights of a worker. */
import { afterAll, expect, test } from 'vitest'
import { buildProbeServer } from '../../../src/api/probe-server.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { createCustomer, secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const token = 'a-token-for-the-metrics'
let opened: ReturnType<typeof buildProbeServer> | undefined
const probe = () => {
  const db = database.as('panji_worker')
  opened ??= buildProbeServer({
    db,
    readinessDb: db,
    secretKey,
    tokens: [new Secret(token)],
    build: { version: '9.8.7', build: 'a1b2c3', role: 'worker' },
    log: createLogger('silent', process.stderr),
  })
  return opened
}
afterAll(() => opened?.close())

test('it says that it lives and that it can work, and nothing else answers there', async () => {
  expect((await probe().inject('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await probe().inject('/readyz')).json()).toEqual({ status: 'ok' })
  expect((await probe().inject('/api/users/me')).statusCode).toBe(404)
  expect((await probe().inject({ method: 'POST', url: '/healthz', payload: 'x'.repeat(100) })).statusCode).toBe(405)
})

test('its numbers ask for a token', async () => {
  for (const authorization of [undefined, 'Bearer nothing-of-the-kind', token]) {
    const headers = authorization === undefined ? {} : { authorization }
    const { statusCode } = await probe().inject({ url: '/metrics', headers })
    expect(statusCode).toBe(401)
  }
})

test('it reports the version, and deliveries, destinations and orders with the rights of a worker', async () => {
  const { accountId } = await createCustomer(database.db)
  await database.db.execute(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted, status)
     VALUES ($1, 'hubspot', 'one', 'a', '', 'broken'), ($1, 'hubspot', 'two', 'b', '', 'active')`,
    [accountId],
  )
  await database.db.execute(
    `INSERT INTO orders.purchase (account_id, order_name, status, items_count, total_amount, payment_option, payment_status)
     VALUES ($1, 'one', 'completed', 1, 1, 'credits', 'paid')`,
    [accountId],
  )
  const { statusCode, body } = await probe().inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(statusCode).toBe(200)
  const lines = body.split('\n')
  expect(body).toContain('panji_database_up 1')
  expect(body).toMatch(/panji_build_info\{version="9\.8\.7",role="worker",node="/)
  expect(lines).toContain('panji_destinations{status="broken"} 1')
  expect(lines).toContain('panji_orders_last_day{status="completed",payment="paid"} 1')
  expect(lines).toContain('panji_pushes{status="failed"} 0')
  // The ledger is not a worker's to read.
  expect(body).not.toMatch(/^panji_credits /m)
})
