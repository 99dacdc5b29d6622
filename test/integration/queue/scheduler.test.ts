import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { latestDueSlot } from '../../../src/queue/schedule/due-slots.ts'
import { startScheduler } from '../../../src/queue/schedule/scheduler.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const log = createLogger('silent', false)
const sweep = (cron: string) => [{ name: 'sweep', cron, timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} }]
let queue: QueueHandle

beforeAll(async () => {
  queue = await startQueue({ connectionString: database.url, supervise: false, onError: () => {} })
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
  const both = await Promise.all([0, 1].map(() => startScheduler({ db: database.db, queue, log, schedules })))
  await vi.waitFor(async () => expect(await slotCount()).toBeGreaterThanOrEqual(3), 15_000)
  await Promise.all(both.map((scheduler) => scheduler.stop()))
  expect(await jobCount()).toBe(await slotCount())
})

describe('after downtime', () => {
  test('the missed slots are caught up by one job, even when two schedulers start at once', async () => {
    const schedules = sweep('0 3 * * *')
    const first = await startScheduler({ db: database.db, queue, log, schedules })
    await first.stop()
    await database.db.execute(`UPDATE runtime.schedule SET last_slot = now() - interval '5 days'`)
    const both = await Promise.all([0, 1].map(() => startScheduler({ db: database.db, queue, log, schedules })))
    await Promise.all(both.map((scheduler) => scheduler.stop()))
    expect(await jobCount()).toBe(1)
  })

  test('a new schedule has missed nothing', async () => {
    const scheduler = await startScheduler({ db: database.db, queue, log, schedules: sweep('0 3 * * *') })
    await scheduler.stop()
    expect(await jobCount()).toBe(0)
  })

  test("the latest due slot is found across thousands of missed ones, in the schedule's own time zone", () => {
    const from = new Date('2026-01-01T00:00:00Z')
    const now = new Date('2026-01-03T00:00:30Z')
    expect(latestDueSlot(queue.boss, '* * * * *', 'Asia/Kolkata', from, now)).toEqual(new Date('2026-01-03T00:00:00Z'))
    expect(latestDueSlot(queue.boss, '0 3 * * *', 'Asia/Kolkata', from, now)).toEqual(new Date('2026-01-02T21:30:00Z'))
    expect(latestDueSlot(queue.boss, '0 3 1 2 *', 'Asia/Kolkata', from, now)).toBeUndefined()
  })
})

test('a schedule that left the configuration is removed, one that an operator added stays', async () => {
  await database.db.execute(
    `INSERT INTO runtime.schedule (name, cron, job, origin) VALUES ('mine', '0 4 * * *', 'sweep-expired', 'operator')`,
  )
  const first = await startScheduler({ db: database.db, queue, log, schedules: sweep('0 3 * * *') })
  await first.stop()
  const second = await startScheduler({ db: database.db, queue, log, schedules: [] })
  await second.stop()
  const names = await database.db.query<{ name: string }>('SELECT name FROM runtime.schedule')
  expect(names).toEqual([{ name: 'mine' }])
})
