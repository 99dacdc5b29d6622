/** F19: five schedulers fire the same schedule; two of them are killed on the way. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { useTestDatabase } from '../support/database.ts'
import { type NodeProcess, runNode } from '../support/run-node.ts'

const database = useTestDatabase()
const script = fileURLToPath(new URL('support/scheduler-child.ts', import.meta.url))
let queue: QueueHandle
let schedulers: NodeProcess[] = []

beforeAll(async () => {
  queue = await startQueue({ connectionString: database.url, supervise: false, onError: () => {} })
  // A slot is skipped while the job of an earlier one is open, so somebody does the jobs.
  await queue.boss.work('sweep-expired', { pollingIntervalSeconds: 0.5 }, async () => {})
  schedulers = [0, 1, 2, 3, 4].map(() => runNode(script, [database.url]))
  await Promise.all(schedulers.map((scheduler) => scheduler.line('ready')))
})
afterAll(async () => {
  for (const { child } of schedulers) child.kill('SIGKILL')
  await Promise.all(schedulers.map(({ ended }) => ended))
  await queue.stop()
})

interface Slot {
  readonly slot: Date
  readonly job_id: string | null
  readonly claimed_by: string
}
const slotsSince = (since: Date) =>
  database.db.query<Slot>('SELECT slot, job_id, claimed_by FROM runtime.cron_slot WHERE slot > $1 ORDER BY slot', [
    since,
  ])

test('each slot is claimed once and its job is enqueued once, also when schedulers die', async () => {
  const began = new Date()
  const untilSlots = (count: number) =>
    vi.waitFor(async () => expect((await slotsSince(began)).length).toBeGreaterThanOrEqual(count), {
      timeout: 60_000,
      interval: 50,
    })
  await untilSlots(3)
  for (const { child } of schedulers.slice(0, 2)) child.kill('SIGKILL')
  await untilSlots(8)
  const slots = await slotsSince(began)
  const seconds = slots.map(({ slot }) => Math.round(slot.getTime() / 1000))
  expect(seconds).toEqual(seconds.map((_, index) => (seconds[0] ?? 0) + index))
  const enqueued = slots.flatMap(({ job_id: jobId }) => (jobId === null ? [] : [jobId]))
  expect(enqueued.length).toBeGreaterThan(2)
  expect(new Set(enqueued).size).toBe(enqueued.length)
  const jobs = await database.db.query<{ id: string }>(
    `SELECT id FROM pgboss.job WHERE name = 'sweep-expired' AND created_on > $1::timestamptz`,
    [began],
  )
  const claimed = (await slotsSince(new Date(began.getTime() - 2_000))).map(({ job_id: jobId }) => jobId)
  for (const { id } of jobs) expect(claimed).toContain(id)
  console.log(`F19: ${slots.length} slots by ${new Set(slots.map(({ claimed_by: by }) => by)).size} of five schedulers`)
})
