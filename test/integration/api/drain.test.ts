/** A server that is about to close: it serves on, and tells whoever looks after it to turn elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDrain } from '../../../src/api/drain.ts'
import { buildTestServer, recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const drain = createDrain()
let app: Awaited<ReturnType<typeof buildTestServer>>
beforeAll(async () => {
  app = await buildTestServer(database, recordJobs(), [], { drain })
})
afterAll(() => app.close())

test('its readiness is a 503 at once, each answer ends its connection, and calls are served as before', async () => {
  const before = await app.inject('/readyz')
  expect([before.statusCode, before.headers.connection]).not.toContain('close')
  expect(before.statusCode).toBe(200)
  drain.begin()
  const after = await app.inject('/readyz')
  expect([after.statusCode, after.headers['retry-after']]).toEqual([503, '1'])
  expect(after.json()).toMatchObject({ error_code: 'UNAVAILABLE', reason: 'stopping' })
  const served = await app.inject('/healthz')
  expect([served.statusCode, served.headers.connection]).toEqual([200, 'close'])
})
