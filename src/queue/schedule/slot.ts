/** A slot is one due time of a schedule. Claiming it and enqueueing its job are one transaction, so it happens once. */
import { hostname } from 'node:os'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { QueueHandle } from '../queue.ts'
import { type QueueDefinition, queues } from '../queues.ts'
import type { ScheduleRow } from './schedules.ts'

/** @returns the job's id, or undefined when another process had claimed the slot. */
export async function claimSlot(
  db: Db,
  queue: QueueHandle,
  schedule: ScheduleRow,
  slot: Date,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const claimed = await tx.execute(
      `INSERT INTO runtime.cron_slot (schedule, slot, claimed_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [schedule.name, slot, `${hostname()}:${process.pid}`],
    )
    if (claimed === 0) return undefined
    const jobId = await enqueueSchedule(tx, queue, schedule)
    await tx.execute('UPDATE runtime.cron_slot SET job_id = $3 WHERE schedule = $1 AND slot = $2', [
      schedule.name,
      slot,
      jobId,
    ])
    await tx.execute('UPDATE runtime.schedule SET last_slot = greatest(last_slot, $2) WHERE name = $1', [
      schedule.name,
      slot,
    ])
    return jobId
  })
}

/** Enqueues a schedule's job now, outside its slots (`panji schedule run`). */
export async function enqueueSchedule(
  tx: Parameters<QueueHandle['send']>[0],
  queue: QueueHandle,
  schedule: ScheduleRow,
): Promise<string> {
  const definition = Object.values<QueueDefinition>(queues).find(({ name }) => name === schedule.job)
  if (!definition)
    throw new AppError('CONFIG_INVALID', `The schedule ${schedule.name} names the unknown job ${schedule.job}.`)
  return queue.send(tx, definition, definition.payload.parse(schedule.payload))
}
