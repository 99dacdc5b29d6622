/** Which condition the database is in stands in readiness and in the metrics: whoever is called out sees which to fix. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { buildTestServer, recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
let readinessDb: Db
let app: Awaited<ReturnType<typeof buildTestServer>>
beforeAll(async () => {
  readinessDb = openDb({
    connectionString: database.urlAs('panji_api'),
    applicationName: 'panji-test-ready',
    connectionsMax: 1,
  })
  app = await buildTestServer(database, recordJobs(), [], { readinessDb, metricsToken: new Secret('metrics-token') })
})
afterAll(async () => {
  await app.close()
  await readinessDb.close()
})

async function countOf(reason: string): Promise<number> {
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer metrics-token' } })
  return Number(new RegExp(`^panji_database_faults_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(body)?.[1])
}

test('connections that are used up are named by readiness, and counted', async () => {
  const before = await countOf('connections_used_up')
  const name = new URL(database.url).pathname.slice(1)
  await database.db.execute(`ALTER DATABASE ${name} CONNECTION LIMIT 0`)
  const reply = await app.inject({ url: '/readyz' })
  await database.db.execute(`ALTER DATABASE ${name} CONNECTION LIMIT -1`)
  expect([reply.statusCode, reply.json()]).toEqual([
    503,
    expect.objectContaining({ error_code: 'UNAVAILABLE', reason: 'connections_used_up' }),
  ])
  expect(await countOf('connections_used_up')).toBe(before + 1)
})

test('a login whose password was changed under the process is named by readiness as one that waits, and counted', async () => {
  const url = new URL(database.urlAs('panji_api'))
  url.password = 'the-one-before'
  const refusedDb = openDb({ connectionString: url.href, applicationName: 'panji-test-refused', connectionsMax: 1 })
  const other = await buildTestServer(database, recordJobs(), [], { readinessDb: refusedDb })
  const before = await countOf('login_refused')
  const reply = await other.inject({ url: '/readyz' })
  await other.close()
  await refusedDb.close()
  expect([reply.statusCode, reply.headers['retry-after'], reply.json()]).toEqual([
    503,
    '5',
    expect.objectContaining({ error_code: 'UNAVAILABLE', reason: 'login_refused' }),
  ])
  expect(await countOf('login_refused')).toBe(before + 1)
})

test.each([
  ['53100', 'disk_full'],
  ['53200', 'resources_used_up'],
  ['57P01', 'backend_stopped'],
  ['57014', 'statement_cancelled'],
  ['25006', 'read_only'],
  ['08006', 'unreachable'],
])('a statement that meets %s is counted as %s, and as nothing else', async (code, reason) => {
  const reasons = [
    'disk_full',
    'resources_used_up',
    'backend_stopped',
    'statement_cancelled',
    'read_only',
    'unreachable',
  ]
  const before = await Promise.all(reasons.map(countOf))
  await database
    .as('panji_api')
    .execute(`DO $$ BEGIN RAISE 'met' USING ERRCODE = '${code}'; END $$`)
    .catch(() => 0)
  const after = await Promise.all(reasons.map(countOf))
  expect(after).toEqual(before.map((count, at) => count + (reasons[at] === reason ? 1 : 0)))
})
