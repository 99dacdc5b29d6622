/**
 * Age of the data in the registers: the as-of day of the data, the last import that changed something, failed imports
 * that are not made good, and for how long a run that waits for a decision has held which schedule.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { readHoldingRuns } from '../../ingest/run/holding-runs.ts'
import { readDataDays } from '../../ingest/run/source-states.ts'
import { readLateness, scheduledInput } from './schedule-lateness.ts'

export type DataMetrics = ReturnType<typeof dataMetrics>

export function dataMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['source'] as const, registers })
  const held = {
    name: 'panji_source_held_age_seconds',
    help: 'Time for which the oldest run of the source that needs approval has blocked its schedules.',
  }
  return {
    age: gauge('panji_data_age_seconds', 'Time since the as-of date of the newest data of the source, in India.'),
    changed: gauge(
      'panji_ingest_last_change_age_seconds',
      'Time since a run of the source last changed a register; files that were already imported (no_op) do not count.',
    ),
    held: new Gauge({ ...held, labelNames: ['source', 'run'] as const, registers }),
    failed: new Gauge({
      name: 'panji_ingest_failed_age_seconds',
      help: 'Time since a run failed that no later run of its address, or of its source by hand, has answered, for up to a week.',
      labelNames: ['source', 'run'] as const,
      registers,
    }),
    scheduleHeld: new Gauge({
      name: 'panji_schedule_held_age_seconds',
      help: 'Time for which a run that needs approval has blocked the schedule.',
      labelNames: ['schedule', 'run'] as const,
      registers,
    }),
    scheduleLate: new Gauge({
      name: 'panji_schedule_late_seconds',
      help: 'Time since the first missed slot of the schedule: no job, or no successful run of its address; 0 if it is on time.',
      labelNames: ['schedule'] as const,
      registers,
    }),
  }
}

export function resetDataMetrics(metrics: DataMetrics): void {
  for (const gauge of Object.values(metrics)) gauge.reset()
}

export async function setDataMetrics(tx: Tx, metrics: DataMetrics): Promise<void> {
  for (const { source, age, changed } of await readDataDays(tx)) {
    metrics.age.set({ source }, Math.max(0, age))
    if (changed !== null) metrics.changed.set({ source }, Math.max(0, changed))
  }
  const held = await readHoldingRuns(tx)
  for (const [source, { run_id, since }] of held) metrics.held.set({ source, run: run_id }, secondsSince(since))
  for (const { source, run, age } of await readFailedRuns(tx)) metrics.failed.set({ source, run }, Math.max(0, age))
  for (const { schedule, holder, lateSeconds } of await readLateness(tx, held)) {
    if (holder) metrics.scheduleHeld.set({ schedule, run: holder.run_id }, secondsSince(holder.since))
    else metrics.scheduleLate.set({ schedule }, lateSeconds)
  }
}

const secondsSince = (moment: Date): number => Math.max(0, (Date.now() - moment.getTime()) / 1000)

/**
 * Failed runs of the last week that no later one answers: a run by hand answers for its source, and one of a schedule
 * for its own address. What was not fetched by a schedule, or is no longer, is answered by any run of the source. An undo
 * imports nothing, so it answers for none.
 */
function readFailedRuns(tx: Tx): Promise<{ source: string; run: number; age: number }[]> {
  return tx.query(
    sql`WITH ended AS (
       SELECT run_id, source, status, finished_at, ${scheduledInput} AS scheduled, drop_folder
       FROM ingest.run
       WHERE (status = 'failed' OR status IN ('succeeded', 'no_op') AND undo IS NULL) AND finished_at IS NOT NULL
     ), newest AS (
       SELECT DISTINCT ON (source, scheduled) * FROM ended ORDER BY source, scheduled, finished_at DESC, run_id DESC
     )
     SELECT failed.source, failed.run_id AS run, extract(epoch FROM now() - failed.finished_at)::float8 AS age
     FROM newest failed
     WHERE failed.status = 'failed' AND failed.finished_at > now() - interval '7 days'
       AND NOT EXISTS (
         SELECT FROM ended good
         WHERE good.source = failed.source AND good.status <> 'failed'
           AND (good.finished_at, good.run_id) > (failed.finished_at, failed.run_id)
           AND (good.scheduled IS NULL AND good.drop_folder IS NULL
                OR NOT EXISTS (SELECT FROM runtime.scheduled_inputs() s
                               WHERE s.source = failed.source AND s.input = failed.scheduled)))`,
  )
}
