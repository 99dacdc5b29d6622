/**
 * Fires the schedules. node-cron keeps the time in every scheduler process; its RunCoordinator, kept in PostgreSQL,
 * lets one of them enqueue each slot. What is due is the database's to say: at the start and at every reload, slots
 * that are due by its clock and were not fired, after downtime or by a clock that runs slow or fast, are caught up once.
 */
import cron, { type RunCoordinator, type ScheduledTask } from 'node-cron'
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { QueueHandle } from '../queue.ts'
import { latestDueSlot } from './due-slots.ts'
import { listSchedules, type ScheduleRow, syncSchedules } from './schedules.ts'
import { claimSlot, type SlotOutcome } from './slot.ts'

export interface SchedulerOptions {
  readonly db: Db
  readonly queue: QueueHandle
  readonly log: Logger
  readonly schedules: readonly ScheduleDefinition[]
  /** How often rows that an operator added, paused or removed are picked up. */
  readonly reloadMs?: number
}

export interface Scheduler {
  /** Picks up changed rows now. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { db, log } = options
  await syncSchedules(db, options.schedules)
  const tasks = new Map<string, { readonly signature: string; readonly task: ScheduledTask }>()

  async function reload(): Promise<void> {
    const rows = (await listSchedules(db)).filter((row) => row.pausedAt === null)
    for (const row of rows) await catchUp(options, row)
    const wanted = new Map(rows.map((row) => [row.name, row]))
    for (const [name, { signature, task }] of tasks) {
      const row = wanted.get(name)
      if (row && signatureOf(row) === signature) continue
      await task.destroy()
      tasks.delete(name)
    }
    for (const row of rows.filter(({ name }) => !tasks.has(name))) {
      tasks.set(row.name, { signature: signatureOf(row), task: taskOf(row, coordinatorOf(options, row), log) })
    }
  }

  await reload()
  const timer = setInterval(() => {
    reload().catch((error: unknown) => log.error({ err: error }, 'schedules could not be reloaded'))
  }, options.reloadMs ?? 15_000)
  timer.unref()

  return {
    reload,
    async stop() {
      clearInterval(timer)
      for (const { task } of tasks.values()) await task.destroy()
    },
  }
}

const signatureOf = (row: ScheduleRow) => JSON.stringify([row.cron, row.timezone, row.job, row.payload])

function taskOf(row: ScheduleRow, runCoordinator: RunCoordinator, log: Logger): ScheduledTask {
  return cron.schedule(row.cron, () => undefined, {
    name: row.name,
    timezone: row.timezone,
    distributed: true,
    runCoordinator,
    unref: true,
    logger: {
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message, error) => log.error({ err: error ?? message }, 'schedule failed'),
      debug: (message) => log.debug(String(message)),
    },
  })
}

/** The election is the work: whoever inserts the slot enqueues the job in the same transaction. */
function coordinatorOf({ db, queue, log }: SchedulerOptions, row: ScheduleRow): RunCoordinator {
  return {
    async shouldRun(key) {
      const slot = new Date(key.slice(row.name.length + 1))
      const outcome = await claimSlot(db, queue, row, slot)
      report(log, row, slot, outcome)
      return outcome.kind === 'enqueued'
    },
  }
}

async function catchUp({ db, queue, log }: SchedulerOptions, row: ScheduleRow): Promise<void> {
  const [clock] = await db.query<{ now: Date }>('SELECT now()')
  if (!clock) return
  const missed = latestDueSlot(queue.boss, row.cron, row.timezone, row.lastSlot ?? row.createdAt, clock.now)
  if (!missed) return
  report(log, row, missed, await claimSlot(db, queue, row, missed))
}

function report(log: Logger, { name }: ScheduleRow, slot: Date, outcome: SlotOutcome): void {
  if (outcome.kind === 'enqueued') log.info({ schedule: name, slot, jobId: outcome.jobId }, 'slot enqueued')
  if (outcome.kind === 'overrun') {
    log.warn({ schedule: name, slot, jobId: outcome.jobId }, 'slot skipped: the job of an earlier slot is still open')
  }
}
