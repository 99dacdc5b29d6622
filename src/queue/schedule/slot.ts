/**
 * A slot is one due time of a schedule. It is claimed and its job enqueued in one transaction, so that happens once.
 * The database's clock decides whether it is due: a process with a wrong clock claims nothing early, and nothing older
 * than the schedule's newest slot.
 */
import { hostname } from 'node:os'
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender, QueueHandle } from '../queue.ts'
import { type QueueDefinition, queues } from '../queues.ts'
import type { ScheduleRow } from './schedules.ts'

export type SlotOutcome =
  | { readonly kind: 'enqueued'; readonly jobId: string }
  /** Another process has claimed this slot or a later one. */
  | { readonly kind: 'taken' }
  /** Not due yet: this process's clock is fast. */
  | { readonly kind: 'early' }
  /** The job of an earlier slot is still open, so no second one is enqueued. */
  | { readonly kind: 'overrun'; readonly jobId: string }

/** NTP keeps clocks closer together than this. */
const clockToleranceSeconds = 2

export async function claimSlot(db: Db, queue: QueueHandle, schedule: ScheduleRow, slot: Date): Promise<SlotOutcome> {
  return db.transaction(async (tx) => {
    const [clock] = await tx.query<{ early: boolean }>('SELECT $1 > now() + make_interval(secs => $2) AS early', [
      slot,
      clockToleranceSeconds,
    ])
    if (clock?.early !== false) return { kind: 'early' }
    // The row lock serializes the claims of all processes; the newest slot only moves forward.
    const claimed = await tx.execute(
      `UPDATE runtime.schedule SET last_slot = $2
       WHERE name = $1 AND $2 > greatest(coalesce(last_slot, created_at), settled_at)`,
      [schedule.name, slot],
    )
    if (claimed === 0) return { kind: 'taken' }
    // If the clock was set back, a slot that was fired early is due a second time.
    await tx.execute(
      `INSERT INTO runtime.cron_slot (schedule, slot, claimed_by) VALUES ($1, $2, $3)
       ON CONFLICT (schedule, slot) DO UPDATE SET claimed_at = now(), claimed_by = excluded.claimed_by`,
      [schedule.name, slot, `${hostname()}:${process.pid}`],
    )
    // Old rows are only needed to detect a repeated claim; a schedule of every few minutes would accumulate them.
    await tx.execute(
      `DELETE FROM runtime.cron_slot WHERE schedule = $1 AND slot < $2::timestamptz - interval '30 days'`,
      [schedule.name, slot],
    )
    const open = await findOpenJob(tx, schedule.name)
    if (open) return { kind: 'overrun', jobId: open }
    const jobId = await enqueueSchedule(tx, queue, schedule)
    await tx.execute('UPDATE runtime.cron_slot SET job_id = $3 WHERE schedule = $1 AND slot = $2', [
      schedule.name,
      slot,
      jobId,
    ])
    return { kind: 'enqueued', jobId }
  })
}

async function findOpenJob(tx: Queryable, schedule: string): Promise<string | undefined> {
  const rows = await tx.query<{ jobId: string }>(
    `SELECT s.job_id AS "jobId" FROM runtime.cron_slot s JOIN pgboss.job j ON j.id = s.job_id
      WHERE s.schedule = $1 AND j.state IN ('created', 'retry', 'active') ORDER BY s.slot DESC LIMIT 1`,
    [schedule],
  )
  return rows[0]?.jobId
}

/** Enqueues a schedule's job now, outside its slots (`panji schedule run`). */
export async function runScheduleNow(tx: Queryable, queue: JobSender, schedule: ScheduleRow): Promise<string> {
  await tx.execute('UPDATE runtime.schedule SET ran_at = now() WHERE name = $1', [schedule.name])
  return enqueueSchedule(tx, queue, schedule)
}

async function enqueueSchedule(tx: Queryable, queue: JobSender, schedule: ScheduleRow): Promise<string> {
  const definition = Object.values<QueueDefinition>(queues).find(({ name }) => name === schedule.job)
  if (!definition)
    throw new AppError('CONFIG_INVALID', `The schedule ${schedule.name} names the unknown job ${schedule.job}.`)
  return queue.send(tx, definition, definition.payload.parse(schedule.payload))
}
