/** What a connection asked for as it opened holds, whatever stands between it and its server; or it is refused by name. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reachDatabase } from '../../../src/cli/faults/database-refusal.ts'
import { allAccounts } from '../../../src/db/account-scope.ts'
import { boundedDb } from '../../../src/db/bounded-db.ts'
import { type Db, openDb } from '../../../src/db/db.ts'
import { startQueue } from '../../../src/queue/queue.ts'
import { suppressionSettings, useTestDatabase } from '../../support/database.ts'
import { startForgetfulPooler } from '../../support/forgetful-pooler.ts'
import { hasTool } from '../../support/machine-tool.ts'
import { type PoolMode, startPgBouncer } from '../../support/pgbouncer.ts'

const database = useTestDatabase()
const settings = { ...suppressionSettings, ...allAccounts }
const opened: { close(): Promise<unknown> }[] = []
afterAll(async () => {
  for (const each of opened.reverse()) await each.close()
})

/** As the API opens its connections. */
function asApi(connectionString: string): Db {
  const db = openDb({
    connectionString,
    applicationName: 'panji-test',
    connectionsMax: 2,
    role: 'panji_api',
    settings,
    statementTimeoutMs: 5_000,
  })
  opened.push(db)
  return db
}

const names = [
  'role',
  'default_transaction_isolation',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
  'client_connection_check_interval',
  'tcp_keepalives_idle',
  'panji.account',
  'panji.suppression_key',
]
async function sessionOf(db: Db): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; value: string }>(
    `SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name
     UNION ALL SELECT 'current_user', current_user`,
    [names],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
const wanted = {
  role: 'panji_api',
  current_user: 'panji_api',
  default_transaction_isolation: 'read committed',
  statement_timeout: '5s',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  client_connection_check_interval: '5s',
  tcp_keepalives_idle: '15',
  'panji.account': '*',
  'panji.suppression_key': suppressionSettings['panji.suppression_key'],
}

describe('of a database whose own defaults are hostile', () => {
  beforeAll(async () => {
    const name = new URL(database.url).pathname.slice(1)
    for (const setting of [
      "default_transaction_isolation = 'serializable'",
      'statement_timeout = 1000',
      'lock_timeout = 900',
      'idle_in_transaction_session_timeout = 1100',
      'transaction_timeout = 1200',
    ]) {
      await database.db.execute(`ALTER DATABASE ${name} SET ${setting}`)
    }
  })

  test('a direct connection has what it asked for', async () => {
    expect(await sessionOf(asApi(database.url))).toEqual(wanted)
  })

  test('a job that takes its time is not ended by a time-out that the login has by default', async () => {
    const db = openDb({ connectionString: database.url, applicationName: 'panji-test' })
    opened.push(db)
    expect(await db.query('SELECT pg_sleep(1.3)::text AS slept')).toEqual([{ slept: '' }])
  })

  test('what something on the way left out is set', async () => {
    const pooler = await startForgetfulPooler(database.url)
    opened.push(pooler)
    expect(await sessionOf(asApi(pooler.url))).toEqual(wanted)
  })

  test('options of the address count before our own defaults, also where something on the way left them out', async () => {
    const pooler = await startForgetfulPooler(database.url)
    opened.push(pooler)
    for (const url of [database.url, pooler.url]) {
      const db = openDb({
        connectionString: `${url}?options=${encodeURIComponent('-c statement_timeout=7s -c search_path=public\\,pg_temp')}`,
        applicationName: 'panji-test',
        role: 'panji_worker',
      })
      opened.push(db)
      expect(await sessionOf(db)).toMatchObject({ current_user: 'panji_worker', statement_timeout: '7s' })
      expect(await db.query('SHOW search_path')).toEqual([{ search_path: 'public,pg_temp' }])
    }
  })
})

describe.skipIf(!hasTool('pgbouncer', 'pgbouncer'))('behind PgBouncer', () => {
  const behind = async (mode: PoolMode, ignored?: string) => {
    const pooler = await startPgBouncer(database.url, mode, ignored)
    opened.push(pooler)
    return pooler.url
  }
  const queueAt = async (connectionString: string) => {
    const errors: Error[] = []
    const queue = await startQueue({
      connectionString,
      role: 'panji_worker',
      supervise: false,
      declares: false,
      onError: (error) => errors.push(error),
    })
    opened.push({ close: () => queue.stop() })
    return queue
  }

  test('in session mode each connection, and the queue’s, has what it asked for', async () => {
    const url = await behind('session')
    const db = asApi(url)
    expect(await sessionOf(db)).toEqual(wanted)
    await db.withConnection(async () => expect(await sessionOf(db)).toEqual(wanted))
    const queue = await queueAt(url)
    const { rows } = await queue.boss
      .getDb()
      .executeSql('SELECT current_user, current_setting($1) AS timeout', ['statement_timeout'])
    expect(rows).toEqual([{ current_user: 'panji_worker', timeout: '0' }])
  })

  test('a statement that is given up ends at the server, whose process the pooler hides', async () => {
    const url = await behind('session')
    const db = openDb({ connectionString: url, applicationName: 'panji-test', connectionsMax: 1 })
    const through = openDb({ connectionString: url, applicationName: 'panji-test', connectionsMax: 1 })
    opened.push(db, through)
    const stopping = new AbortController()
    const bounds = { timeoutMs: 60_000, signal: stopping.signal, parallel: false, cancelThrough: through }
    const asked = performance.now()
    const outcome = boundedDb(db, bounds)
      .query('SELECT pg_sleep(30)')
      .catch((error: unknown) => error)
    const atWork = () =>
      database.db.query(`SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active'`)
    await vi.waitFor(async () => expect(await atWork()).toHaveLength(1), 60_000)
    const reason = new Error('the caller is gone')
    stopping.abort(reason)
    expect(await outcome).toBe(reason)
    expect(performance.now() - asked).toBeLessThan(15_000)
    expect(await atWork()).toEqual([])
  })

  test.each(['transaction', 'statement'] as const)(
    '%s mode is refused by name, and no other client gets a setting of ours',
    async (mode) => {
      const url = await behind(mode)
      await expect(asApi(url).query('SELECT 1')).rejects.toMatchObject({
        code: 'POOLER_UNSUITABLE',
        message: expect.stringContaining('pool_mode = session'),
      })
      await expect(queueAt(url)).rejects.toMatchObject({ code: 'POOLER_UNSUITABLE' })
      const other = new pg.Client({ connectionString: url })
      await other.connect()
      const seen = await other.query(
        `SELECT current_user, current_setting('panji.account', true) AS account, current_setting('lock_timeout') AS lock_timeout`,
      )
      await other.end()
      expect(seen.rows).toEqual([{ current_user: 'panji', account: null, lock_timeout: '900ms' }])
    },
  )

  test('one that refuses what it does not know is named with what fixes it', async () => {
    const url = await behind('session', '')
    await expect(reachDatabase(asApi(url), url)).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringContaining('ignore_startup_parameters = options'),
    })
  })
})
