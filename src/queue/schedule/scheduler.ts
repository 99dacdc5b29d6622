/**
 * Fires the schedules. The database's clock decides what is due: every tick reads it, enqueues the newest due slot of
 * each schedule that has not been fired, and sleeps until the next slot or the next reload of changed rows.
 * So a slot that passes while every scheduler is down is caught up once by the next one that starts, and a process with
 * a wrong clock only ticks a little early or late. Any number of processes may tick: a slot is claimed once.
 */
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { QueueHandle } from '../queue.ts'
import { latestDueSlot, slotsAfter } from './due-slots.ts'
import { listSchedules, resetFutureSlots, type ScheduleRow, settledUntil, syncSchedules } from './schedules.ts'
import { claimSlot, type SlotOutcome } from './slot.ts'

export interface SchedulerOptions {
  readonly db: Db
  readonly queue: QueueHandle
  readonly log: Logger
  readonly schedules: readonly ScheduleDefinition[]
  /** How often rows that an operator added, paused or removed are reloaded. */
  readonly reloadMs?: number
}

export interface Scheduler {
  /** Reloads the rows and fires due slots now. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** A tick that wakes slightly before the slot by the database's clock is repeated after this. */
const tickMsMin = 20

export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { log } = options
  const reloadMs = options.reloadMs ?? 15_000
  await syncSchedules(options.db, options.schedules)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let ticking: Promise<void> = Promise.resolve()

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => void next(), Math.min(Math.max(ms, tickMsMin), reloadMs))
    timer.unref()
  }
  const next = (): Promise<void> => {
    ticking = tick(options).then(sleep, (error: unknown) => {
      log.error({ err: error }, 'the schedules could not be read')
      sleep(reloadMs)
    })
    return ticking
  }

  sleep(await tick(options))
  return {
    async reload() {
      await ticking
      sleep(await tick(options))
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await ticking
    },
  }
}

/** @returns milliseconds until the next slot by the database's clock; infinite without one. */
async function tick(options: SchedulerOptions): Promise<number> {
  const setBack = await resetFutureSlots(options.db)
  if (setBack.length > 0)
    options.log.warn({ schedules: setBack }, 'the clock was set back: schedules continue from now')
  const rows = (await listSchedules(options.db)).filter((row) => row.pausedAt === null)
  const [clock] = await options.db.query<{ now: Date }>('SELECT now()')
  if (!clock) throw new Error('the clock gave no row')
  const coming: Date[] = []
  for (const row of rows) {
    try {
      await fireDue(options, row, clock.now)
      coming.push(...slotsAfter(row.cron, row.timezone, clock.now, 1))
    } catch (error) {
      // A schedule that cannot be fired blocks no other; the next tick retries it.
      options.log.error({ err: error, schedule: row.name }, 'a due slot could not be enqueued')
    }
  }
  return Math.min(...coming.map((slot) => slot.getTime() - clock.now.getTime()))
}

async function fireDue({ db, queue, log }: SchedulerOptions, row: ScheduleRow, now: Date): Promise<void> {
  const due = latestDueSlot(row.cron, row.timezone, settledUntil(row), now)
  if (due) report(log, row, due, await claimSlot(db, queue, row, due))
}

function report(log: Logger, { name }: ScheduleRow, slot: Date, outcome: SlotOutcome): void {
  if (outcome.kind === 'enqueued') log.info({ schedule: name, slot, jobId: outcome.jobId }, 'slot enqueued')
  if (outcome.kind === 'overrun') {
    log.warn({ schedule: name, slot, jobId: outcome.jobId }, 'slot skipped: the job of an earlier slot is still open')
  }
}
