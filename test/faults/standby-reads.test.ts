/** PANJI_READ_DATABASE_URL: reads go to a standby for as long as it has what was shown, and to the primary when it has not. */
import { expect, test, vi } from 'vitest'
import { boundedDb } from '../../src/db/bounded-db.ts'
import { openDb } from '../../src/db/db.ts'
import { followedDb } from '../../src/db/standbys/followed-db.ts'
import { watchStandbys } from '../../src/db/standbys/watch.ts'
import { createCustomer } from '../support/api.ts'
import { useQueuedRuns } from './support/queued-runs.ts'
import { useReplicatedDatabase } from './support/replicated-database.ts'
import { useRunningPanji } from './support/running-panji.ts'
import { cinOf } from './support/snapshots.ts'

const database = useReplicatedDatabase()
const panji = useRunningPanji(database, 'all', () => ({ PANJI_READ_DATABASE_URL: database.urlOf('second') }))
const runs = useQueuedRuns(
  {
    get db() {
      return database.db
    },
    get url() {
      return database.urlOf('first')
    },
  },
  400,
)
/** Every tenth company is struck off by the second snapshot, and active again by the first. */
const changing = cinOf(10)

async function callsOf(plan: 'premium') {
  const { apiKey } = await createCustomer(database.db, { plan })
  const loggedIn = await fetch(`${panji.apiUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
  const { token } = (await loggedIn.json()) as { token: { access_token: string } }
  return async (path: string) => {
    const response = await fetch(`${panji.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    return { status: response.status, text: await response.text() }
  }
}

async function standbysUsed(): Promise<number> {
  const response = await fetch(`${panji.apiUrl}/metrics`, {
    headers: { authorization: 'Bearer operator-token-of-the-faults' },
  })
  return Number(/^panji_database_standbys\{state="used"\} (\d)/m.exec(await response.text())?.[1])
}
const untilUsed = (count: number, timeout = 5_000) =>
  vi.waitFor(async () => expect(await standbysUsed()).toBe(count), { timeout, interval: 50 })

async function importNext() {
  await runs.expectSameEnd(await runs.enqueue(), 60_000)
}

test('details and searches are asked of the standby', async () => {
  await importNext()
  await untilUsed(1, 20_000)
  const call = await callsOf('premium')
  expect((await call(`/api/company/details?cin=${changing}`)).text).toContain('Active')
  const search = await call('/api/company/company-filter?company=COMPANY%2010')
  expect([search.status, search.text]).toEqual([200, expect.stringContaining(changing)])
  const asked = await database.eyesOn('second').query<{ name: string }>(
    `SELECT DISTINCT split_part(application_name, ':', 3) AS name FROM pg_stat_activity
     WHERE application_name LIKE 'panji:%' AND usename IS NOT NULL ORDER BY name`,
  )
  expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['api', 'expensive', 'standby']))
})

test('a standby that stops replaying is left out, and who was shown a new version never sees the old one again', async () => {
  const call = await callsOf('premium')
  await database.eyesOn('second').query('SELECT pg_wal_replay_pause()')
  await importNext()
  const shown = async () => (await call(`/api/company/details?cin=${changing}`)).text
  await vi.waitFor(async () => expect(await shown()).toContain('Struck Off'), { timeout: 60_000, interval: 20 })
  for (let each = 0; each < 50; each++) expect(await shown()).toContain('Struck Off')
  await untilUsed(0)
  await database.eyesOn('second').query('SELECT pg_wal_replay_resume()')
  await untilUsed(1)
  expect(await shown()).toContain('Struck Off')
})

test('when the way to the standby dies silently nobody is refused, and nobody waits for it for longer than five seconds', async () => {
  const client = await panji.startAsking(20)
  await vi.waitFor(() => expect(client.answers.length).toBeGreaterThan(10), { timeout: 60_000 })
  database.proxyOf('second').blackHole('all')
  await untilUsed(0)
  const noticed = client.answers.length
  await expect.poll(() => client.answers.length).toBeGreaterThan(noticed + 10)
  database.proxyOf('second').heal()
  await untilUsed(1, 30_000)
  const answers = await client.stop()
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(Math.max(...answers.map(({ askedAt, answeredAt }) => answeredAt - askedAt))).toBeLessThan(5_000)
})

test('a read that is left by its caller is ended at the standby that it was asked of', async () => {
  const open = (name: 'first' | 'second') =>
    openDb({ connectionString: database.urlOf(name), applicationName: 'panji-test-reads', connectionsMax: 2 })
  const [primary, reads, cancels] = [open('first'), open('second'), open('second')]
  const watch = watchStandbys(primary, [{ name: 'second', db: cancels }], () => {})
  await vi.waitFor(() => expect(watch.usable()).toEqual([0]), { timeout: 60_000 })
  const leaving = new AbortController()
  const bounded = boundedDb(followedDb(primary, [{ reads, cancels }], watch), {
    timeoutMs: 60_000,
    signal: leaving.signal,
    parallel: true,
    cancelThrough: primary,
  })
  const asleep = () =>
    database
      .eyesOn('second')
      .query(`SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(50)' AND state = 'active'`)
  const read = bounded.readSnapshot(60_000, (tx) => tx.query('SELECT pg_sleep(50)'))
  const left = expect(read).rejects.toThrow('the caller went away')
  await vi.waitFor(async () => expect(await asleep()).toHaveLength(1), { timeout: 60_000 })
  leaving.abort(new Error('the caller went away'))
  await left
  await vi.waitFor(async () => expect(await asleep()).toEqual([]), { timeout: 60_000 })
  await watch.stop()
  for (const db of [primary, reads, cancels]) await db.close()
})

test('when the standby is killed nobody is refused', async () => {
  const client = await panji.startAsking(20)
  await vi.waitFor(() => expect(client.answers.length).toBeGreaterThan(10), { timeout: 60_000 })
  await database.kill('second')
  await untilUsed(0)
  const noticed = client.answers.length
  await expect.poll(() => client.answers.length).toBeGreaterThan(noticed + 10)
  expect((await client.stop()).filter(({ status }) => status !== 200)).toEqual([])
  expect(panji.process.child.exitCode).toBeNull()
})
