/**
 * Schedules for HTTP requests. A request may not read the sealed addresses, so it lists and changes schedules through
 * functions of the database. The result is the same as that of `panji schedules`.
 */
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import type { Queryable } from '../../db/db.ts'
import { isRemote } from '../../domain/bare-address.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../queue.ts'
import { queues } from '../queues.ts'
import { checkSchedule } from './check-schedule.ts'
import { type ScheduleRow, scheduleNamed } from './schedules.ts'

export async function listSchedulesOverHttp(db: Queryable): Promise<ScheduleRow[]> {
  return db.query<ScheduleRow>(
    `SELECT name, cron, timezone, job, payload, origin, paused_at AS "pausedAt", created_at AS "createdAt", last_slot AS "lastSlot",
       settled_at AS "settledAt", ran_at AS "ranAt"
     FROM runtime.tell_schedules()`,
  )
}

/** @throws AppError NOT_FOUND */
export async function readScheduleOverHttp(db: Queryable, name: string): Promise<ScheduleRow> {
  return scheduleNamed(await listSchedulesOverHttp(db), name)
}

/**
 * Adds a schedule, or replaces the operator's schedule of the same name.
 * @throws AppError BAD_REQUEST, CONFLICT
 */
export async function saveSchedule(tx: Queryable, schedule: ScheduleDefinition): Promise<void> {
  checkSchedule(schedule)
  const [row] = await tx.query<{ kept: boolean }>('SELECT runtime.keep_address_schedule($1, $2, $3, $4, $5) AS kept', [
    ...[schedule.name, schedule.cron, schedule.timezone, schedule.job, JSON.stringify(schedule.payload)],
  ])
  if (row?.kept !== true) throw shipped(schedule.name, 'pause it, or take another name')
}

/**
 * Adds a schedule for the folder that another schedule reads. Paths can only be given at a terminal, so a request names
 * the schedule that has one.
 * @throws AppError BAD_REQUEST, CONFLICT, NOT_FOUND
 */
export async function saveFolderSchedule(tx: Queryable, schedule: ScheduleDefinition, folderOf: string): Promise<void> {
  const { input } = (await readScheduleOverHttp(tx, folderOf)).payload
  if (typeof input !== 'string' || isRemote(input)) {
    throw new AppError('BAD_REQUEST', `The schedule ${folderOf} does not watch a folder.`)
  }
  const { name, cron, timezone, payload } = schedule
  checkSchedule({ ...schedule, payload: { ...payload, input } })
  const [row] = await tx.query<{ kept: boolean }>('SELECT runtime.keep_folder_schedule($1, $2, $3, $4, $5) AS kept', [
    ...[name, cron, timezone, payload['source'], folderOf],
  ])
  if (row?.kept !== true) throw shipped(name, 'pause it, or take another name')
}

/**
 * Idempotent.
 * @throws AppError NOT_FOUND
 */
export async function setPaused(tx: Queryable, name: string, paused: boolean): Promise<ScheduleRow> {
  await readScheduleOverHttp(tx, name)
  await tx.execute('SELECT runtime.pause_schedule($1, $2)', [name, paused])
  return readScheduleOverHttp(tx, name)
}

/** @throws AppError NOT_FOUND, CONFLICT for one that ships with Panji */
export async function dropSchedule(tx: Queryable, name: string): Promise<void> {
  await readScheduleOverHttp(tx, name)
  const [row] = await tx.query<{ removed: boolean }>('SELECT runtime.remove_schedule($1) AS removed', [name])
  if (row?.removed !== true) throw shipped(name, 'pause it')
}

/**
 * Asks a worker to run the schedule's job now.
 * @throws AppError NOT_FOUND
 */
export async function requestScheduleRun(tx: Queryable, queue: JobSender, name: string): Promise<void> {
  await readScheduleOverHttp(tx, name)
  await queue.send(tx, queues.runSchedule, { name })
}

const shipped = (name: string, remedy: string): AppError =>
  new AppError('CONFLICT', `The schedule ${name} ships with Panji and would be added again; ${remedy}.`)
