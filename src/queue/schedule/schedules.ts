/** The schedule rows: those synced from config/schedules.ts, and those that operators added. */

import type { ScheduleDefinition } from '../../../config/schedules.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { checkSchedule } from './check-schedule.ts'

export interface ScheduleRow {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly job: string
  readonly payload: Record<string, unknown>
  readonly origin: 'config' | 'operator'
  readonly pausedAt: Date | null
  readonly createdAt: Date
  readonly lastSlot: Date | null
  readonly settledAt: Date | null
  /** When it was last run outside its slots. */
  readonly ranAt: Date | null
}

const columns = `name, cron, timezone, job, payload, origin, paused_at AS "pausedAt", created_at AS "createdAt", last_slot AS "lastSlot",
  settled_at AS "settledAt", ran_at AS "ranAt"`

export async function listSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return db.query<ScheduleRow>(sql`SELECT ${columns} FROM runtime.schedule ORDER BY name`)
}

/** @throws AppError NOT_FOUND listing the existing schedules. */
export const readSchedule = async (db: Queryable, name: string): Promise<ScheduleRow> =>
  scheduleNamed(await listSchedules(db), name)

/** @throws AppError NOT_FOUND listing the existing schedules. */
export function scheduleNamed(all: readonly ScheduleRow[], name: string): ScheduleRow {
  const found = all.find((schedule) => schedule.name === name)
  if (found) return found
  const names = all.map((schedule) => schedule.name).join(', ')
  throw new AppError('NOT_FOUND', `There is no schedule "${name}". There are: ${names || 'none'}.`)
}

/**
 * No slot up to this time was missed: it was enqueued, or passed before the schedule existed, while it was paused, or
 * under a cron expression that has been replaced.
 */
export function settledUntil({ lastSlot, createdAt, settledAt }: ScheduleRow): Date {
  const settled = lastSlot ?? createdAt
  return settledAt && settledAt > settled ? settledAt : settled
}

/**
 * If the database's clock was set back, slots that the wrong clock fired are in the future, and nothing would be due
 * until the clock reaches them again. Such schedules continue from now; slots before now do not count as missed.
 * @returns the names of these schedules.
 */
export async function resetFutureSlots(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE runtime.schedule SET last_slot = NULL, settled_at = now(), created_at = least(created_at, now()),
       ran_at = least(ran_at, now())
     WHERE greatest(last_slot, settled_at, created_at) > now() + make_interval(mins => $1) RETURNING name`,
    [clockSetBackMinutes],
  )
  return rows.map(({ name }) => name)
}

/** The clocks of a primary and a standby that replaces it differ by less. */
const clockSetBackMinutes = 5

/** When it last ran, in a slot or outside. */
export function lastRunOf({ lastSlot, ranAt }: ScheduleRow): Date | null {
  if (lastSlot === null || ranAt === null) return lastSlot ?? ranAt
  return lastSlot > ranAt ? lastSlot : ranAt
}

/** Syncs the config rows with the file. Pauses and last slots are kept, operators' rows are not touched. */
export async function syncSchedules(db: Db, definitions: readonly ScheduleDefinition[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const definition of definitions) {
      await tx.execute(
        `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin) VALUES ($1, $2, $3, $4, $5, 'config')
         ON CONFLICT (name) DO UPDATE SET cron = excluded.cron, timezone = excluded.timezone, job = excluded.job,
           payload = excluded.payload WHERE runtime.schedule.origin = 'config'`,
        [definition.name, definition.cron, definition.timezone, definition.job, JSON.stringify(definition.payload)],
      )
    }
    await tx.execute(`DELETE FROM runtime.schedule WHERE origin = 'config' AND NOT name = ANY($1)`, [
      definitions.map((definition) => definition.name),
    ])
  })
}

/** @throws AppError BAD_REQUEST for an invalid expression, time zone or job; CONFLICT for a name in use. */
export async function addSchedule(db: Queryable, schedule: ScheduleDefinition): Promise<void> {
  checkSchedule(schedule)
  const added = await db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin) VALUES ($1, $2, $3, $4, $5, 'operator')
     ON CONFLICT DO NOTHING`,
    [schedule.name, schedule.cron, schedule.timezone, schedule.job, JSON.stringify(schedule.payload)],
  )
  if (added === 0)
    throw new AppError(
      'CONFLICT',
      `There is a schedule "${schedule.name}" already. Remove it first, or choose another name.`,
    )
}
