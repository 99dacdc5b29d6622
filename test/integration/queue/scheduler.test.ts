import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { latestDueSlot } from '../../../src/queue/schedule/due-slots.ts'
import { startScheduler } from '../../../src/queue/schedule/scheduler.ts'
import { addSchedule, readSchedule, type ScheduleRow } from '../../../src/queue/schedule/schedules.ts'
import { dropSchedule, setPaused } from '../../../src/queue/schedule/schedules-over-http.ts'
import { claimSlot } from '../../../src/queue/schedule/slot.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const log = createLogger('silent', process.stderr)
const sweep = (cron: string) => [{ name: 'sweep', cron, timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} }]
let queue: QueueHandle

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
})
afterAll(async () => queue.stop())
beforeEach(async () => {
  await database.db.execute('DELETE FROM runtime.cron_slot')
  await database.db.execute('DELETE FROM runtime.schedule')
  await database.db.execute('DELETE FROM pgboss.job')
})

const jobCount = async () =>
  (await database.db.query<{ count: number }>(`SELECT count(*) FROM pgboss.job WHERE name = 'sweep-expired'`))[0]?.count
const slotCount = async () =>
  (await database.db.query<{ count: number }>('SELECT count(*) FROM runtime.cron_slot'))[0]?.count ?? 0

test('two schedulers enqueue each slot once', async () => {
  const schedules = sweep('* * * * * *')
  const enqueued = async () => database.db.query('SELECT 1 FROM runtime.cron_slot WHERE job_id IS NOT NULL')
  await queue.boss.work('sweep-expired', { pollingIntervalSeconds: 0.5 }, async () => {})
  const both = await Promise.all(
    [0, 1].map(() => startScheduler({ db: database.as('panji_worker'), queue, log, schedules })),
  )
  await vi.waitFor(async () => expect((await enqueued()).length).toBeGreaterThanOrEqual(2), 60_000)
  await Promise.all(both.map((scheduler) => scheduler.stop()))
  await queue.boss.offWork('sweep-expired')
  expect(await jobCount()).toBe((await enqueued()).length)
})

describe('after downtime', () => {
  test('the missed slots are caught up by one job, even when two schedulers start at once', async () => {
    const schedules = sweep('0 3 * * *')
    const first = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules })
    await first.stop()
    await database.db.execute(`UPDATE runtime.schedule SET last_slot = now() - interval '5 days'`)
    const both = await Promise.all(
      [0, 1].map(() => startScheduler({ db: database.as('panji_worker'), queue, log, schedules })),
    )
    await Promise.all(both.map((scheduler) => scheduler.stop()))
    expect(await jobCount()).toBe(1)
  })

  test('a new schedule has missed nothing', async () => {
    const scheduler = await startScheduler({
      db: database.as('panji_worker'),
      queue,
      log,
      schedules: sweep('0 3 * * *'),
    })
    await scheduler.stop()
    expect(await jobCount()).toBe(0)
  })

  test("the latest due slot is found across thousands of missed ones, in the schedule's own time zone", () => {
    const from = new Date('2026-01-01T00:00:00Z')
    const now = new Date('2026-01-03T00:00:30Z')
    expect(latestDueSlot('* * * * *', 'Asia/Kolkata', from, now)).toEqual(new Date('2026-01-03T00:00:00Z'))
    expect(latestDueSlot('0 3 * * *', 'Asia/Kolkata', from, now)).toEqual(new Date('2026-01-02T21:30:00Z'))
    expect(latestDueSlot('0 3 1 2 *', 'Asia/Kolkata', from, now)).toBeUndefined()
  })
})

test('after the clock was set back schedules go on from now, and a slot that was fired ahead of its time comes again', async () => {
  const options = { db: database.as('panji_worker'), queue, log }
  const schedules = [...sweep('* * * * * *'), ...sweep('0 3 * * *').map((each) => ({ ...each, name: 'nightly' }))]
  const first = await startScheduler({ ...options, schedules })
  await first.stop()
  // What a clock of a day ahead leaves: each schedule fired until then, the next seconds among its slots, each job at its end.
  await database.db.execute(`DELETE FROM runtime.cron_slot`)
  await database.db.execute(
    `UPDATE runtime.schedule SET last_slot = now() + interval '1 day', created_at = now() + interval '20 hours'`,
  )
  await database.db.execute(
    `INSERT INTO runtime.cron_slot (schedule, slot, claimed_by, claimed_at)
     SELECT 'sweep', second, 'ahead', now() + interval '1 day'
     FROM generate_series(date_trunc('second', now()), now() + interval '5 minutes', interval '1 second') AS second`,
  )
  const second = await startScheduler({ ...options, schedules })
  const again = () =>
    database.db.query(`SELECT 1 FROM runtime.cron_slot WHERE claimed_by <> 'ahead' AND job_id IS NOT NULL`)
  await vi.waitFor(async () => expect(await again()).not.toEqual([]), 60_000)
  await second.stop()
  const now = await database.db.query(
    `SELECT name, last_slot > now() AS ahead, settled_at <= now() AND created_at <= now() AS settled FROM runtime.schedule
     ORDER BY name`,
  )
  expect(now).toEqual([
    { name: 'nightly', ahead: null, settled: true },
    { name: 'sweep', ahead: false, settled: true },
  ])
  expect(await jobCount()).toBe((await again()).length)
})

test('a schedule that cannot be fired holds up no other', async () => {
  await database.db.execute(
    `INSERT INTO runtime.schedule (name, cron, job, origin, created_at)
     VALUES ('a-broken', 'not a cron expression', 'sweep-expired', 'operator', now() - interval '1 hour'),
            ('b-unknown', '* * * * *', 'no-such-job', 'operator', now() - interval '1 hour')`,
  )
  const schedules = sweep('0 3 * * *')
  const first = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules })
  await first.stop()
  await database.db.execute(`UPDATE runtime.schedule SET last_slot = now() - interval '5 days' WHERE name = 'sweep'`)
  const second = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules })
  await second.stop()
  expect(await jobCount()).toBe(1)
})

test('a schedule that left the configuration is removed, one that an operator added stays', async () => {
  await database.db.execute(
    `INSERT INTO runtime.schedule (name, cron, job, origin) VALUES ('mine', '0 4 * * *', 'sweep-expired', 'operator')`,
  )
  const first = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules: sweep('0 3 * * *') })
  await first.stop()
  const second = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules: [] })
  await second.stop()
  const names = await database.db.query<{ name: string }>('SELECT name FROM runtime.schedule')
  expect(names).toEqual([{ name: 'mine' }])
})

test('a slot whose predecessor is still open is reported as an overrun and not stacked', async () => {
  const [row] = await database.db.query<ScheduleRow>(
    `INSERT INTO runtime.schedule (name, cron, job, origin, created_at)
     VALUES ('slow', '* * * * *', 'sweep-expired', 'operator', '2025-12-31')
     RETURNING name, cron, timezone, job, payload, origin, paused_at AS "pausedAt", created_at AS "createdAt", last_slot AS "lastSlot",
       settled_at AS "settledAt"`,
  )
  if (!row) throw new Error('the schedule was not inserted')
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  expect(await claimSlot(database.db, queue, row, at(1))).toMatchObject({ kind: 'enqueued' })
  expect(await claimSlot(database.db, queue, row, at(1))).toEqual({ kind: 'taken' })
  expect(await claimSlot(database.db, queue, row, at(2))).toMatchObject({ kind: 'overrun' })
  await database.db.execute(`UPDATE pgboss.job SET state = 'completed' WHERE name = 'sweep-expired'`)
  expect(await claimSlot(database.db, queue, row, at(3))).toMatchObject({ kind: 'enqueued' })
})

test('slots of a month ago are forgotten when a new one is claimed, those of other schedules stay', async () => {
  await database.db.execute(
    `INSERT INTO runtime.schedule (name, cron, job, origin, created_at)
     VALUES ('slow', '* * * * *', 'sweep-expired', 'operator', '2025-12-01'),
            ('other', '* * * * *', 'sweep-expired', 'operator', '2025-12-01')`,
  )
  const slow = await readSchedule(database.db, 'slow')
  const other = await readSchedule(database.db, 'other')
  await claimSlot(database.db, queue, slow, new Date('2026-01-01T00:00:00Z'))
  await claimSlot(database.db, queue, other, new Date('2026-01-01T00:00:00Z'))
  await claimSlot(database.db, queue, slow, new Date('2026-01-15T00:00:00Z'))
  await claimSlot(database.db, queue, slow, new Date('2026-02-02T00:00:00Z'))
  const left = await database.db.query<{ schedule: string; slot: Date }>(
    'SELECT schedule, slot FROM runtime.cron_slot ORDER BY slot',
  )
  expect(left.map(({ schedule, slot }) => `${schedule} ${slot.toISOString().slice(0, 10)}`)).toEqual([
    'other 2026-01-01',
    'slow 2026-01-15',
    'slow 2026-02-02',
  ])
})

describe('an operator', () => {
  const schedule = {
    name: 'goa',
    cron: '30 2 * * *',
    timezone: 'Asia/Kolkata',
    job: 'fetch-source',
    payload: { source: 'mca-companies', input: 'https://example.in/goa.csv' },
  }

  test('gets all errors of a schedule at once', async () => {
    const wrong = { name: 'Goa!', cron: '61 2 * * *', timezone: 'Asia/Bombay2', job: 'fetch', payload: {} }
    const refusal = addSchedule(database.db, wrong)
    await expect(refusal).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(refusal).rejects.toThrow(/Goa!.*61.*Asia\/Bombay2.*fetch-source/)
  })

  test('adds, pauses, resumes and removes a schedule; slots of the pause are not caught up', async () => {
    await addSchedule(database.db, schedule)
    await expect(addSchedule(database.db, schedule)).rejects.toMatchObject({ code: 'CONFLICT' })
    await setPaused(database.db, 'goa', true)
    await database.db.execute(`UPDATE runtime.schedule SET last_slot = now() - interval '9 days'`)
    await setPaused(database.db, 'goa', false)
    const scheduler = await startScheduler({ db: database.as('panji_worker'), queue, log, schedules: [] })
    await scheduler.stop()
    expect(await slotCount()).toBe(0)
    const [told] = await database.db.query<{ daysAgo: number }>(
      `SELECT extract(day FROM now() - last_slot)::integer AS "daysAgo" FROM runtime.schedule`,
    )
    expect(told).toEqual({ daysAgo: 9 })
    await dropSchedule(database.db, 'goa')
    await expect(readSchedule(database.db, 'goa')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
