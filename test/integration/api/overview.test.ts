/** What one call tells an operator of the whole installation. */
import { expect, test } from 'vitest'
import { createOverview } from '../../../src/api/overview.ts'
import { createCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { documentChecker } from '../../support/document-checker.ts'
import { operationsOf } from '../../support/openapi.ts'
import { insertOrder } from '../deliver/paid-order.ts'

const database = useTestDatabase()
const api = useApi(database)

interface Overview {
  readonly keys: { readonly secret_key_ok: boolean }
  readonly worker: { readonly running: boolean }
  readonly dead_letters: number
  readonly ledger: unknown
  readonly deliveries: { readonly pushes: number; readonly oldest_seconds: number | null }
  readonly sources: readonly { source: string; last_status: string | null; waiting_runs: number[] }[]
}

test('runs that wait are named beside their source, and a source that was never ingested is there, too', async () => {
  const [run] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, requested_by, status, mode, as_of) VALUES ('mca-companies', 'x.csv', 'test', 'needs_approval', 'snapshot', '2026-01-01')
     RETURNING run_id AS id`,
  )
  const reply = await api.get('/admin/overview', operatorToken)
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
  const [operation] = (await operationsOf(api)).filter(({ operationId }) => operationId === 'getOverview')
  if (!operation) throw new Error('getOverview is not in the document')
  expect((await documentChecker(api)).faultsOf(reply, operation)).toEqual([])
  const overview = reply.json<Overview>()
  expect(overview).toMatchObject({
    keys: { secret_key_ok: true },
    worker: { running: false },
    dead_letters: 0,
    ledger: null,
  })
  const [waiting] = overview.sources.filter(({ source }) => source === 'mca-companies')
  expect(waiting).toMatchObject({ last_status: 'needs_approval', waiting_runs: [run?.id] })
  expect(overview.sources.filter(({ last_status: status }) => status === null).length).toBeGreaterThan(2)
})

test('the oldest order on its way into a CRM says how late deliveries are, unless somebody paused the CRM', async () => {
  const { accountId } = await createCustomer(database.db)
  const orderId = await insertOrder(database.db, accountId, [])
  const into = (status: string, hours: number) =>
    database.db.execute(
      `WITH crm AS (
         INSERT INTO deliver.destination (account_id, connector, name, settings_encrypted, remote_account, status)
         VALUES ($1, 'hubspot', $2, '\\x00', $2, $2) RETURNING destination_id
       )
       INSERT INTO deliver.push (destination_id, order_id, status, requested_at)
       SELECT destination_id, $3, 'running', now() - make_interval(hours => $4) FROM crm`,
      [accountId, status, orderId, hours],
    )
  const lag = async () => (await createOverview(database.db, async () => {})()).deliveries
  expect(await lag()).toEqual({ pushes: 0, oldest_seconds: null })
  await into('paused', 9)
  expect(await lag()).toEqual({ pushes: 0, oldest_seconds: null })
  await into('active', 1)
  await into('broken', 2)
  const { pushes, oldest_seconds: oldestSeconds } = await lag()
  expect([pushes, Math.floor((oldestSeconds ?? 0) / 3600)]).toEqual([2, 2])
})

test('however many watch, the database is asked once in two seconds, and a failed reading is not kept', async () => {
  let asked = 0
  let now = 0
  const db = { ...database.db, query: () => Promise.reject(new Error('gone')) }
  const counted = createOverview(
    database.db,
    async () => void asked++,
    () => now,
  )
  await Promise.all(Array.from({ length: 50 }, () => counted()))
  expect(asked).toBe(1)
  now = 1_999
  await counted()
  expect(asked).toBe(1)
  now = 2_001
  await counted()
  expect(asked).toBe(2)
  let failed = 0
  const failing = createOverview(
    db,
    async () => void failed++,
    () => 0,
  )
  await expect(failing()).rejects.toThrow('gone')
  await expect(failing()).rejects.toThrow('gone')
  expect(failed).toBe(2)
})

test('nobody but an operator reads it', async () => {
  expect((await api.get('/admin/overview')).statusCode).toBe(401)
})
