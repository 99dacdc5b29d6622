/** /metrics: who may read it, what it tells, and that it tells nothing of anybody. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../../src/api/metrics/metrics.ts'
import { type Db, openDb } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { queues } from '../../../src/queue/queues.ts'
import { setPaused } from '../../../src/queue/schedule/schedules-over-http.ts'
import { buildTestServer, newCustomer, operatorToken, recordJobs, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const metricsToken = 'metrics-token-of-the-tests'
const database = useTestDatabase()
const api = useApi(database, [], { metricsToken: new Secret(metricsToken) })
let queue: QueueHandle

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
})
afterAll(() => queue.stop())

/** The samples of a scrape: `name{labels}` to value. */
async function scrape(): Promise<Map<string, number>> {
  const reply = await api.get('/metrics', metricsToken)
  expect(reply.statusCode).toBe(200)
  const samples = reply.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

test('an operator and the token for metrics may read it; nobody else, and that token opens nothing more', async () => {
  const { token } = await newCustomer(api, database)
  const read = await api.get('/metrics', operatorToken)
  expect([read.statusCode, read.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(read.headers['cache-control']).toBe('no-store, private')
  for (const other of [undefined, token, `${metricsToken}x`]) {
    const refused = await api.get('/metrics', other)
    expect([refused.statusCode, refused.json().error_code]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED'])
  }
  expect((await api.get('/admin/users', metricsToken)).statusCode).toBe(401)
  expect((await api.get('/api/users/me', metricsToken)).statusCode).toBe(401)
})

test('answers are counted by route, method and status, and no label holds an identifier or an address', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const order = '00000000-0000-4000-8000-000000000000'
  const before = await scrape()
  await api.get(`/api/orders/${order}`, token)
  await api.get(`/api/orders/${order}`, token)
  await api.get('/nothing/at/all', token)
  const samples = await scrape()
  const risen = (name: string) => (samples.get(name) ?? 0) - (before.get(name) ?? 0)
  const count = (route: string, status: number) =>
    risen(`panji_http_answers_total{route="${route}",method="GET",status="${status}"}`)
  expect([count('/api/orders/:id', 404), count('unknown', 404)]).toEqual([2, 1])
  expect(risen('panji_http_request_duration_seconds_bucket{le="+Inf",route="/api/orders/:id",method="GET"}')).toBe(2)
  const text = [...samples.keys()].join('\n')
  for (const secret of [order, accountId, 'example.com', '10.0.0.1', 'nothing/at']) expect(text).not.toContain(secret)
})

test('the process, its event loop and its pool are measured', async () => {
  const samples = await scrape()
  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
    'panji_db_pool_connections{state="open"}',
    'panji_db_pool_connections{state="idle"}',
    'panji_db_pool_connections{state="waiting"}',
  ]) {
    expect([name, Number.isFinite(samples.get(name))]).toEqual([name, true])
  }
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  expect(samples.get('panji_db_pool_connections{state="open"}')).toBeGreaterThan(0)
})

test('queues, dead letters and import runs are reported as they are in the database', async () => {
  const { db } = database
  const before = await scrape()
  expect(before.get('panji_queue_jobs{queue="build-leads",state="created"}')).toBe(0)
  expect(before.get('panji_dead_letters')).toBe(0)
  expect([...before.keys()].filter((name) => name.startsWith('panji_ingest_last_success'))).toEqual([])

  await queue.send(db, queues.buildLeads, { orderId: 'a' })
  await queue.send(db, queues.buildLeads, { orderId: 'b' }, { startAfterMs: 3_600_000 })
  await queue.boss.send('dead-letter', { of: 'a test' })
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at)
     VALUES ('nic', 'a.csv', 'snapshot', '2025-10-01', 'no_op', now() - interval '2 hours'),
            ('nic', 'b.csv', 'snapshot', '2025-10-01', 'failed', now())`,
  )
  await db.execute(`INSERT INTO pgboss.warning (type, message) VALUES ('xmin_horizon', 'a long transaction')`)
  const after = await scrape()
  expect(after.get('panji_queue_warnings{type="xmin_horizon"}')).toBe(1)
  expect(after.get('panji_database_up')).toBe(1)
  expect(after.get('panji_queue_jobs{queue="build-leads",state="created"}')).toBe(2)
  // The job of the next hour is not late.
  expect(after.get('panji_queue_oldest_job_age_seconds{queue="build-leads"}')).toBeLessThan(60)
  expect(after.get('panji_dead_letters')).toBe(1)
  expect(after.get('panji_ingest_runs{source="nic",status="failed"}')).toBe(1)
  expect(after.get('panji_ingest_last_success_age_seconds{source="nic"}')).toBeGreaterThanOrEqual(7200)
  expect(after.get('panji_ingest_last_success_age_seconds{source="nic"}')).toBeLessThan(7260)
})

test('while the database is away a scrape with its own token answers what the process knows, and says so', async () => {
  const db = { ...database.db }
  const options = { metricsToken: new Secret(metricsToken) }
  const world = { url: database.url, db, urlAs: () => '', as: () => db, expensive: () => db }
  const app = await buildTestServer(world, recordJobs(), [], options)
  const away = openDb({ connectionString: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'away' })
  Object.assign(db, away)
  const answer = (token: string) => app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  const scraped = await answer(metricsToken)
  expect(scraped.statusCode).toBe(200)
  expect(scraped.body).toContain('panji_database_up 0')
  expect(scraped.body).toContain('process_resident_memory_bytes')
  expect(scraped.body).not.toMatch(/panji_dead_letters \d/)
  // The environment's own token is compared without the database.
  expect((await answer(operatorToken)).statusCode).toBe(200)
  await away.close()
  await app.close()
})

test('errors are counted by their code, and the version of the process is reported', async () => {
  const { token } = await newCustomer(api, database)
  await api.get('/api/orders/00000000-0000-4000-8000-000000000000', token)
  const samples = await scrape()
  expect(samples.get('panji_http_refusals_total{code="NOT_FOUND"}')).toBeGreaterThan(0)
  expect([...samples.keys()].filter((name) => name.startsWith('panji_build_info{'))).toHaveLength(1)
  expect(samples.get('panji_credits')).toBeGreaterThanOrEqual(0)
  for (const by of ['buyer', 'system']) expect(samples.get(`panji_reports_open{reported_by="${by}"}`)).toBe(0)
})

test('a scrape reads no table whole that grows without end, and ten of them count it once', async () => {
  const { accountId } = await newCustomer(api, database)
  const { db } = database
  await db.execute(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count, created_at)
     SELECT $1, 'old', 'credits', 'completed', 'paid', 1, 1, now() - make_interval(secs => (60000 - n) * 120)
     FROM generate_series(1, 60000) AS n`,
    [accountId],
  )
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted, status)
     VALUES ($1, 'hubspot', 'one', 'scraped', '', 'active') RETURNING destination_id AS id`,
    [accountId],
  )
  await db.execute(
    `INSERT INTO deliver.push (order_id, destination_id, asked_by, status, requested_at, finished_at)
     SELECT order_id, $1, 'order', 'finished', created_at, created_at FROM orders.purchase WHERE order_name = 'old' LIMIT 20000`,
    [destination?.id],
  )
  await db.execute('VACUUM ANALYZE orders.purchase, deliver.push')
  const asked: string[] = []
  const watched: Db = {
    ...db,
    readSnapshot: (timeoutMs, work) =>
      db.readSnapshot(timeoutMs, (tx) =>
        work({
          ...tx,
          query: async (sql, values) => {
            asked.push(typeof sql === 'string' ? sql : sql.text)
            return tx.query(sql, values)
          },
        }),
      ),
  }
  const metrics = createMetrics(watched, { build: { version: '1', build: 'a1b2', role: 'api' } })
  for (let scraped = 0; scraped < 10; scraped++) expect(await metrics.render()).toContain('panji_orders_last_day{')
  const counting = asked.filter((sql) => /orders\.purchase|deliver\.|ledger\.account/.test(sql))
  expect(new Set(counting).size).toBe(counting.length)
  expect(counting.length).toBeGreaterThan(5)
  const scanned: string[] = []
  for (const sql of counting) {
    const plan = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`)
    for (const { 'QUERY PLAN': line } of plan) scanned.push(...(/Seq Scan on (purchase|push)\b/.exec(line) ?? []))
  }
  expect(scanned).toEqual([])
  const rendered = await metrics.render()
  expect(rendered).toMatch(/^panji_orders_last_day\{status="completed",payment="paid"\} 7\d\d$/m)
  expect(rendered).toMatch(/^panji_orders_estimated 6\d{4}$/m)
  expect(rendered).toMatch(/^panji_counts_age_seconds \d/m)
})

test('the age of the data is told apart from the last good run, and from the last that changed something', async () => {
  const { db } = database
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, inserted, unchanged)
     VALUES ('hsn-sac', 'a.csv', 'snapshot', runtime.indian_day(now()) - 40, 'succeeded', now() - interval '30 days', 5, 5, 0),
            ('hsn-sac', 'b.csv', 'snapshot', runtime.indian_day(now()) - 10, 'succeeded', now() - interval '9 days', 5, 0, 5),
            ('hsn-sac', 'b.csv', 'snapshot', runtime.indian_day(now()), 'no_op', now() - interval '1 hour', 0, 0, 0)`,
  )
  const samples = await scrape()
  const days = (name: string) => Math.floor((samples.get(`${name}{source="hsn-sac"}`) ?? 0) / 86_400)
  expect({
    good: days('panji_ingest_last_success_age_seconds'),
    changed: days('panji_ingest_last_change_age_seconds'),
    data: days('panji_data_age_seconds'),
  }).toEqual({ good: 0, changed: 30, data: 10 })
})

test('the age of the data follows a day that was lowered, and no file that was skipped whole', async () => {
  const { db } = database
  const days = async () =>
    Math.floor(((await scrape()).get('panji_data_age_seconds{source="mca-directorships"}') ?? -1) / 86_400)
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, inserted, scopes)
     VALUES ('mca-directorships', 'a.csv', 'snapshot', runtime.indian_day(now()) - 40, 'succeeded', now(), 5, 5, '{*}')`,
  )
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, skipped, scopes)
     VALUES ('mca-directorships', 'b.csv', 'snapshot', runtime.indian_day(now()) - 10, 'succeeded', now(), 5, 5, '{*}')`,
  )
  expect(await days()).toBe(40)
  await db.execute(
    `INSERT INTO ingest.scope (source, scope, as_of, run_id)
     SELECT source, '*', as_of - 5, run_id FROM ingest.run WHERE source = 'mca-directorships' AND input = 'a.csv'`,
  )
  expect(await days()).toBe(45)
})

test('a source whose schedules wait for a run is reported with the oldest such run, until it is decided', async () => {
  const { db } = database
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, started_at)
     VALUES ('nic', 'held.csv', 'snapshot', '2025-01-01', 'needs_approval', now() - interval '3 hours') RETURNING run_id AS id`,
  )
  const name = `panji_source_held_age_seconds{source="nic",run="${run?.id}"}`
  const hours = async () => Math.floor(((await scrape()).get(name) ?? -1) / 3600)
  expect(await hours()).toBe(3)
  await db.execute(`UPDATE ingest.run SET status = 'discarded' WHERE input = 'held.csv'`)
  expect(await hours()).toBe(-1)
})

test('a failed newest import of a source is reported until an import succeeds', async () => {
  const { db } = database
  const end = (status: string, ago: string) =>
    db.query<{ id: number }>(
      `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at)
       VALUES ('pincodes', 'a.csv', 'snapshot', '2025-01-01', $1, now() - $2::interval) RETURNING run_id AS id`,
      [status, ago],
    )
  await end('succeeded', '3 days')
  const [failed] = await end('failed', '2 hours')
  const name = `panji_ingest_failed_age_seconds{source="pincodes",run="${failed?.id}"}`
  expect((await scrape()).get(name)).toBeGreaterThanOrEqual(7200)
  await end('discarded', '1 hour')
  expect((await scrape()).get(name)).toBeGreaterThanOrEqual(7200)
  await end('no_op', '1 minute')
  expect((await scrape()).get(name)).toBeUndefined()
})

test('the failed import of an address is reported until one of that address succeeds, or one by hand, or no schedule fetches it', async () => {
  const { db } = database
  const [goa, kerala] = ['https://example.in/goa.csv', 'https://example.in/kerala.csv']
  await db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin)
     SELECT 'hsn of ' || n, '0 0 1 1 *', 'Asia/Kolkata', 'fetch-source', jsonb_build_object('source', 'hsn-sac', 'input', input), 'operator'
     FROM unnest($1::text[]) WITH ORDINALITY AS t (input, n)`,
    [[goa, kerala]],
  )
  const end = async (
    status: string,
    input: string,
    by = 'schedule',
    folder: string | null = null,
    undo: object | null = null,
  ) => {
    const [run] = await db.query<{ id: number }>(
      `INSERT INTO ingest.run (source, input, mode, as_of, status, requested_by, drop_folder, undo, finished_at)
       VALUES ('hsn-sac', $2, 'snapshot', '2025-01-01', $1, $3, $4, $5, clock_timestamp()) RETURNING run_id AS id`,
      [status, input, by, folder, undo && JSON.stringify(undo)],
    )
    return run?.id
  }
  const reported = async () =>
    [...(await scrape()).keys()]
      .filter((key) => key.startsWith('panji_ingest_failed_age_seconds{source="hsn-sac"'))
      .map((key) => Number(/run="(\d+)"/.exec(key)?.[1]))
  const first = await end('failed', goa)
  await end('succeeded', kerala)
  expect(await reported()).toEqual([first])
  const other = await end('failed', kerala)
  const again = await end('failed', goa)
  expect(new Set(await reported())).toEqual(new Set([other, again]))
  await end('no_op', goa)
  expect(await reported()).toEqual([other])
  await end('succeeded', '/srv/drop/karnataka.csv', 'schedule', '/srv/drop')
  expect(await reported()).toEqual([other])
  await end('succeeded', 'undo of run 1', 'operator', null, { run_id: 1, through: false, reason: 'the wrong file' })
  expect(await reported()).toEqual([other])
  await end('succeeded', '/home/ops/kerala.csv', 'operator')
  expect(await reported()).toEqual([])
  const last = await end('failed', kerala)
  await end('succeeded', goa)
  expect(await reported()).toEqual([last])
  await db.execute(`DELETE FROM runtime.schedule WHERE payload ->> 'input' = $1`, [kerala])
  expect(await reported()).toEqual([])
  await db.execute(`DELETE FROM runtime.schedule WHERE payload ->> 'source' = 'hsn-sac'`)
})

test('addresses that differ only in what is hidden are answered by their own imports', async () => {
  const { db } = database
  const input = 'https://example.in/records?…'
  const isLate = async (sealed: string) => {
    const seconds = (await scrape()).get(`panji_schedule_late_seconds{schedule="records of ${sealed}"}`)
    return seconds !== undefined && seconds >= 9 * 86_400
  }
  await db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin, created_at, last_slot)
     SELECT 'records of ' || sealed, '0 * * * *', 'Asia/Kolkata', 'fetch-source',
       jsonb_build_object('source', 'preferences', 'input', $1::text, 'sealed', sealed), 'operator', now() - interval '10 days', now()
     FROM unnest('{goa,kerala}'::text[]) AS sealed`,
    [input],
  )
  const end = (status: string, sealed: string) =>
    db.execute(
      `INSERT INTO ingest.run (source, input, sealed_input, mode, as_of, status, requested_by, finished_at)
       VALUES ('preferences', $1, $2, 'snapshot', '2025-01-01', $3, 'schedule', clock_timestamp())`,
      [input, sealed, status],
    )
  const found = async () => ({
    late: [await isLate('goa'), await isLate('kerala')],
    failed: [...(await scrape()).keys()].filter((key) => /^panji_ingest_failed_age_seconds.*preferences/.test(key))
      .length,
  })
  await end('failed', 'goa')
  await end('succeeded', 'kerala')
  expect(await found()).toEqual({ late: [true, false], failed: 1 })
  await end('succeeded', 'goa')
  expect(await found()).toEqual({ late: [false, false], failed: 0 })
  await db.execute('DELETE FROM runtime.schedule')
})

test('a schedule is late where nothing came of its slot: no good run of its own address, no job of any other', async () => {
  const { db } = database
  const address = { source: 'mca-directors', input: 'https://example.in/directors.csv' }
  const folder = { source: 'mca-directors', input: '/srv/panji/*.csv' }
  await db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin, created_at, last_slot, paused_at)
     SELECT name, '0 * * * *', 'Asia/Kolkata', 'fetch-source', payload, 'operator', now() - interval '10 days',
       now() - fired::interval, CASE WHEN paused THEN now() END
     FROM (VALUES ('fetched', $1::jsonb, '1 second', false), ('watched', $2::jsonb, '1 second', false),
       ('stopped', $2::jsonb, '9 hours', false), ('paused', $2::jsonb, '9 hours', true)) AS s (name, payload, fired, paused)`,
    [JSON.stringify(address), JSON.stringify(folder)],
  )
  const hoursLate = async () => {
    const samples = await scrape()
    return ['fetched', 'watched', 'stopped', 'paused'].map((name) => {
      const seconds = samples.get(`panji_schedule_late_seconds{schedule="${name}"}`)
      return seconds === undefined ? undefined : Math.floor(seconds / 3600)
    })
  }
  const [fetched, ...others] = await hoursLate()
  expect(fetched).toBeGreaterThanOrEqual(10 * 24 - 1)
  expect(others).toEqual([0, 8, undefined])
  await setPaused(db, 'paused', false)
  expect((await hoursLate())[3]).toBe(0)
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, requested_by)
     VALUES ('mca-directors', 'https://example.in/others.csv', 'snapshot', '2025-01-01', 'succeeded', now(), 'schedule')`,
  )
  expect((await hoursLate())[0]).toBeGreaterThanOrEqual(10 * 24 - 1)
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at)
     VALUES ('mca-directors', 'a.csv', 'snapshot', '2025-01-01', 'no_op', now())`,
  )
  expect((await hoursLate())[0]).toBe(0)
  const [held] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, started_at)
     VALUES ('mca-directors', 'b.csv', 'snapshot', '2025-01-01', 'needs_approval', now() - interval '5 hours') RETURNING run_id AS id`,
  )
  const name = `panji_schedule_held_age_seconds{schedule="fetched",run="${held?.id}"}`
  expect((await scrape()).get(name)).toBeGreaterThanOrEqual(5 * 3600)
  expect((await hoursLate())[0]).toBeUndefined()
  await db.execute('DELETE FROM runtime.schedule')
})

test('keys in use that end within a week are counted, by every process, but none that was made for less', async () => {
  const { accountId } = await newCustomer(api, database)
  const { db } = database
  const told = async (role: 'panji_api' | 'panji_worker') => {
    const metrics = createMetrics(database.as(role), { build: { version: '1', build: 'a1b2', role: 'api' } })
    return Number(/^panji_api_keys_ending (\d+)$/m.exec(await metrics.render())?.[1])
  }
  const before = await told('panji_worker')
  const set = `UPDATE access.api_key SET last_used_at = now(), created_at = now() - $3::interval, expires_at = now() + $2::interval WHERE account_id = $1`
  await db.execute(set, [accountId, '6 days', '1 hour'])
  expect(await told('panji_worker')).toBe(before)
  await db.execute(set, [accountId, '6 days', '90 days'])
  expect([await told('panji_worker'), await told('panji_api')]).toEqual([before + 1, before + 1])
  await db.execute(set, [accountId, '9 days', '90 days'])
  expect(await told('panji_worker')).toBe(before)
})

test('the database host is measured: its size, its oldest transaction, the disk of the data directory', async () => {
  const { db } = database
  const options = { build: { version: '1', build: 'a1b2', role: 'api' }, dataDir: process.cwd() }
  await db.withConnection(async (other) => {
    await other.execute('BEGIN')
    await other.query('SELECT pg_current_xact_id()')
    const rendered = await createMetrics(db, options).render()
    await other.execute('ROLLBACK')
    expect(Number(/^panji_database_size_bytes (\S+)$/m.exec(rendered)?.[1])).toBeGreaterThan(1_000_000)
    expect(Number(/^panji_database_oldest_transaction_age_seconds (\S+)$/m.exec(rendered)?.[1])).toBeGreaterThan(0)
    expect(Number(/^panji_disk_bytes\{state="free"\} (\S+)$/m.exec(rendered)?.[1])).toBeGreaterThan(1_000_000)
    expect(rendered).toMatch(/^panji_disk_files\{state="total"\} \d+$/m)
    expect(rendered).toMatch(/^panji_build_info\{version="1",role="api",node="[\d.]+",build="a1b2"\} 1$/m)
  })
})

test('the oldest undelivered lead is reported by the status of its destination', async () => {
  const { accountId } = await newCustomer(api, database)
  const { db } = database
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted, status)
     VALUES ($1, 'hubspot', 'late', 'late', '', 'broken') RETURNING destination_id AS id`,
    [accountId],
  )
  await db.execute(
    `WITH ordered AS (
       INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'late', 'credits', 'completed', 'paid', 1, 1) RETURNING order_id
     ), item AS (
       INSERT INTO orders.item (order_id, position, type, identifier, name)
       SELECT order_id, 0, 'company', 'U85100GA2022PTC000001', 'late' FROM ordered RETURNING item_id
     )
     INSERT INTO deliver.record (destination_id, external_id, item_id, version, desired_sha256, state)
     SELECT $2, 'company:U85100GA2022PTC000001', item_id, now() - interval '3 hours', '\\x00', 'pending' FROM item`,
    [accountId, destination?.id],
  )
  const rendered = await createMetrics(db, { build: { version: '1', build: 'a1b2', role: 'api' } }).render()
  const age = (status: string) =>
    Number(
      new RegExp(`^panji_deliveries_oldest_waiting_age_seconds\\{status="${status}"\\} (\\S+)$`, 'm').exec(
        rendered,
      )?.[1],
    )
  expect(age('broken')).toBeGreaterThanOrEqual(10_800)
  expect(age('broken')).toBeLessThan(10_860)
  expect(age('active')).toBeLessThan(3_600)
})
