/** A database that takes no writes, as the old primary after a failover: it is said, and left as soon as another one stands there. */
import { expect, test, vi } from 'vitest'
import { createCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const name = () => new URL(database.url).pathname.slice(1)

/** Of connections that open from now on; those that are open keep what they had, as they keep an old primary. */
async function failOver(readOnly: 'on' | 'off'): Promise<void> {
  await database.db.execute(`ALTER DATABASE ${name()} SET default_transaction_read_only = ${readOnly}`)
}
const endAll = () =>
  database.db.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'panji_api'`,
  )

test('readiness and every call that writes say NOT_WRITABLE, and serve again on the connections of another server', async () => {
  const { apiKey } = await createCustomer(database.db, {})
  const logIn = () => api.post('/api/auth/login', undefined, { api_key: apiKey })
  expect((await logIn()).statusCode).toBe(200)
  await failOver('on')
  await endAll()
  const refusal = { error_code: 'NOT_WRITABLE', reason: 'read_only' }
  await expect.poll(async () => (await logIn()).json()).toMatchObject(refusal)
  const { statusCode, headers } = await logIn()
  expect([statusCode, Number(headers['retry-after'])]).toEqual([503, 5])
  await vi.waitFor(
    async () => {
      const ready = await api.get('/readyz')
      expect([ready.statusCode, ready.json().error_code, ready.json().reason]).toEqual([
        503,
        'NOT_WRITABLE',
        'read_only',
      ])
    },
    { timeout: 60_000, interval: 50 },
  )
  expect((await api.get('/healthz')).statusCode).toBe(200)
  // Nobody ends the connections that lead to the one without writes: they are let go.
  await failOver('off')
  await vi.waitFor(
    async () => {
      expect((await logIn()).statusCode).toBe(200)
      expect((await api.get('/readyz')).statusCode).toBe(200)
    },
    { timeout: 60_000, interval: 50 },
  )
})
