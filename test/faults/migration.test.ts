/** A migration of hot tables while processes of the release before serve and work: nobody gets an error for it. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMigrations, migrate } from '../../src/db/migrate.ts'
import { defineJob } from '../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { queues } from '../../src/queue/queues.ts'
import { startWorker } from '../../src/queue/worker.ts'
import { buildTestServer, type LoggedIn, newCustomer, recordJobs, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, orderBody, resetLimits } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { timeoutsEndWaits } from '../support/shifted-clock.ts'

const database = useTestDatabase()
const old = useApi(database)
let customer: LoggedIn
/** Logs in again and again, which ends the oldest of its sessions; the customer's is none of them. */
let visitor: LoggedIn
let queue: QueueHandle
let release = 0

beforeAll(async () => {
  await fillRegisters(database.db)
  customer = await newCustomer(old, database, { plan: 'premium' })
  visitor = await newCustomer(old, database)
  await openFeeds(database.db, customer.accountId)
  await addCredits(database.db, customer.accountId, 100_000)
  queue = await startQueue({ connectionString: database.url, supervise: true, onError: () => {} })
})
afterAll(() => queue.stop())

/** The next release's migration, in the way that CONTRIBUTING.md asks for: it adds, and takes nothing away. */
function nextRelease() {
  release += 1
  const added = ['access.account', 'access.session', 'access.daily_usage', 'registry.company', 'orders.purchase']
  const text = [
    ...added.map((table) => `ALTER TABLE ${table} ADD COLUMN added_${release} text NOT NULL DEFAULT 'a';`),
    `CREATE INDEX ON registry.company (status, incorporated_on);`,
  ].join('\n')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const earlier = Array.from({ length: release - 1 }, (_, n) => planned[n]).flatMap((each) => each ?? [])
  planned[release - 1] = { name: `99${String(release).padStart(2, '0')}_next.sql`, text, sha256 }
  return [...listMigrations(), ...earlier, ...planned.slice(release - 1)]
}
const planned: { name: string; text: string; sha256: string }[] = []

const calls = (app: typeof old.app): (() => Promise<number>)[] => {
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (
      await app.inject({
        method,
        url,
        remoteAddress: '10.0.0.1',
        headers: { authorization: `Bearer ${customer.token}` },
        ...(payload ? { payload } : {}),
      })
    ).statusCode
  return [
    () => send('GET', '/api/users/me'),
    () => send('GET', `/api/company/details?cin=${known.cin}`),
    () => send('POST', '/api/recently-registered/companies', {}),
    () => send('POST', '/api/screener/search', { query: "State == 'Goa'", type: 'company' }),
    () => send('POST', '/api/orders/normal', orderBody),
    () => send('POST', '/api/auth/login', { api_key: visitor.apiKey }),
  ]
}

/** Calls of every kind, four at a time, until `work` is done and so many are answered. @returns the statuses. */
async function underLoad(apps: (typeof old.app)[], work: () => Promise<unknown>, answersMin = 1): Promise<number[]> {
  const statuses: number[] = []
  let going = true
  const streams = [0, 1, 2, 3].map(async (stream) => {
    for (let n = stream; going; n++) {
      const kinds = apps.flatMap(calls)
      const call = kinds[n % kinds.length]
      if (call) statuses.push(await call())
      if (n % 50 === 0) await resetLimits(database.db)
    }
  })
  try {
    await work()
    while (statuses.length < answersMin) await delay(20)
  } finally {
    going = false
    await Promise.all(streams)
  }
  return statuses
}

/** Calls and a migration may wait for one another, which ends by time-outs alone. */
const underCalls = test.runIf(timeoutsEndWaits)

underCalls(
  'while calls and jobs go on a migration of the hot tables is applied, without one answer of 500 or above',
  async () => {
    const done: string[] = []
    const job = defineJob(queues.buildLeads, async (_job, { db }) => {
      await db.query('SELECT count(*) FROM orders.purchase')
      done.push('job')
      return {}
    })
    const log = pino({ level: 'silent' })
    const worker = await startWorker({ db: database.db, queue, jobs: [job], log, signal: new AbortController().signal })
    const sent = 40
    const statuses = await underLoad(
      [old.app],
      async () => {
        for (let n = 0; n < sent; n++) {
          await queue.send(database.db, queues.buildLeads, { orderId: String(n) })
          if (n === sent / 2) expect(await migrate(database.db, nextRelease())).toHaveLength(1)
        }
        while (done.length < sent) await delay(20)
      },
      50,
    )
    await worker.stop()
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(done).toHaveLength(sent)
    const failed = await database.db.query(
      `SELECT FROM pgboss.job WHERE state IN ('failed', 'retry') OR name = 'dead-letter'`,
    )
    expect(failed).toEqual([])
  },
)

underCalls(
  'a migration that finds its lock held lets the calls pass until the lock is free, and is applied then',
  async () => {
    let migrated: Promise<string[]> | undefined
    const started = performance.now()
    let slowest = 0
    const statuses = await underLoad([old.app], async () => {
      await database.db.transaction(async (reader) => {
        // A long read, such as a dump: it holds the lock that the migration needs.
        await reader.query('SELECT count(*) FROM registry.company')
        migrated = migrate(database.db, nextRelease())
        const call = calls(old.app)[1]
        for (let n = 0; n < 20; n++) {
          const asked = performance.now()
          expect(await call?.()).toBe(200)
          slowest = Math.max(slowest, performance.now() - asked)
          await delay(150)
        }
      })
      expect(await migrated).toHaveLength(1)
    })
    expect(performance.now() - started).toBeGreaterThan(3_000)
    // The moment that a call waits behind the migration, and what this machine needs beside.
    expect(slowest).toBeLessThan(5_000)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  },
)

underCalls(
  "a process of the release before and one of the next serve side by side, each other's sessions included",
  async () => {
    await migrate(database.db, nextRelease())
    const next = await buildTestServer(database, recordJobs())
    const statuses = await underLoad([old.app, next], () => delay(1_500), 24)
    await next.close()
    expect(statuses.filter((status) => ![200, 201].includes(status))).toEqual([])
  },
)

underCalls('a migration that fails leaves nothing behind, and the calls do not notice', async () => {
  await migrate(database.db, nextRelease())
  const [last] = planned.slice(-1)
  const text = `${last?.text.replaceAll(/added_\d+/g, 'never')}\nSELECT 1/0;`
  const broken = { name: '9999_broken.sql', text, sha256: createHash('sha256').update(text).digest('hex') }
  const statuses = await underLoad([old.app], async () => {
    await expect(migrate(database.db, [...listMigrations(), ...planned, broken])).rejects.toThrow('9999_broken')
  })
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  const columns = await database.db.query(`SELECT FROM information_schema.columns WHERE column_name = 'never'`)
  expect(columns).toEqual([])
  expect(await migrate(database.db, [...listMigrations(), ...planned])).toEqual([])
})
