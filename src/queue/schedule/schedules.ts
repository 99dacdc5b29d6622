/** The schedule rows: those of config/schedules.ts, kept in step, and those an operator added. */

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
  /** When it was last run out of turn. */
  readonly ranAt: Date | null
}

const columns = `name, cron, timezone, job, payload, origin, paused_at AS "pausedAt", created_at AS "createdAt", last_slot AS "lastSlot",
  settled_at AS "settledAt", ran_at AS "ranAt"`

export async function listSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return db.query<ScheduleRow>(sql`SELECT ${columns} FROM runtime.schedule ORDER BY name`)
}

/** @throws AppError NOT_FOUND naming the schedules there are. */
export const readSchedule = async (db: Queryable, name: string): Promise<ScheduleRow> =>
  scheduleNamed(await listSchedules(db), name)

/** @throws AppError NOT_FOUND naming the schedules there are. */
export function scheduleNamed(all: readonly ScheduleRow[], name: string): ScheduleRow {
  const found = all.find((schedule) => schedule.name === name)
  if (found) return found
  const names = all.map((schedule) => schedule.name).join(', ')
  throw new AppError('NOT_FOUND', `There is no schedule "${name}". There are: ${names || 'none'}.`)
}

/** No slot up to this moment is missed: it was enqueued, came before the schedule or while it paused, or is of a time table that was replaced. */
export function settledUntil({ lastSlot, createdAt, settledAt }: ScheduleRow): Date {
  const settled = lastSlot ?? createdAt
  return settledAt && settledAt > settled ? settledAt : settled
}

/**
 * After the clock of the database was set back, slots that were fired by the wrong clock lie ahead, and nothing would be due
 * before it has come that far again. Such a schedule goes on from now, and misses nothing.
 * @returns the schedules that do.
 */
export async function goOnFromNow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE runtime.schedule SET last_slot = NULL, settled_at = now(), created_at = least(created_at, now()),
       ran_at = least(ran_at, now())
     WHERE greatest(last_slot, settled_at, created_at) > now() + make_interval(mins => $1) RETURNING name`,
    [clockSetBackMinutes],
  )
  return rows.map(({ name }) => name)
}

/** Servers of one address, of which one takes the place of another, differ by less. */
const clockSetBackMinutes = 5

/** When it last ran: at a slot, or out of turn. */
export function lastRunOf({ lastSlot, ranAt }: ScheduleRow): Date | null {
  if (lastSlot === null || ranAt === null) return lastSlot ?? ranAt
  return lastSlot > ranAt ? lastSlot : ranAt
}

/** Makes the config rows equal to the file; pauses and last slots survive, operators' rows are skipped. */
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

export interface NewSchedule {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly job: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** @throws AppError BAD_REQUEST for an expression, time zone or job that cannot be meant; CONFLICT for a taken name. */
export async function addSchedule(db: Queryable, schedule: NewSchedule): Promise<void> {
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

export async function pauseSchedule(db: Queryable, name: string): Promise<void> {
  await readSchedule(db, name)
  await db.execute('UPDATE runtime.schedule SET paused_at = coalesce(paused_at, now()) WHERE name = $1', [name])
}

/** Slots that passed during the pause were not missed, so they are not caught up. */
export async function resumeSchedule(db: Queryable, name: string): Promise<void> {
  await readSchedule(db, name)
  await db.execute(
    'UPDATE runtime.schedule SET paused_at = NULL, settled_at = now() WHERE name = $1 AND paused_at IS NOT NULL',
    [name],
  )
}

/** @throws AppError CONFLICT for a schedule of config/schedules.ts, which would come back. */
export async function removeSchedule(db: Queryable, name: string): Promise<void> {
  const { origin } = await readSchedule(db, name)
  if (origin === 'config') {
    throw new AppError(
      'CONFLICT',
      `The schedule "${name}" stands in config/schedules.ts. Pause it, or remove it there.`,
    )
  }
  await db.execute('DELETE FROM runtime.schedule WHERE name = $1', [name])
}
