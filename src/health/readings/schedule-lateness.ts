/**
 * How late schedules are by their own expressions. One that fetches a URL is satisfied by a successful run of that URL,
 * or of its source by hand; any other by its job, since a watched folder may be empty for weeks. A paused schedule is
 * never late, and for one that a run holds, that run is reported instead.
 */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type HoldingRun, holderOf } from '../../ingest/run/holding-runs.ts'
import { slotsAfter } from '../../queue/schedule/due-slots.ts'
import { type ScheduleRow, settledUntil } from '../../queue/schedule/schedules.ts'
import { listSchedulesOverHttp } from '../../queue/schedule/schedules-over-http.ts'

export interface Lateness {
  readonly schedule: string
  readonly holder: HoldingRun | undefined
  readonly lateSeconds: number
}

/**
 * The URL or path that a schedule fetched, as runtime.scheduled_inputs() writes it; null for the runs of files that
 * people named, sent or dropped.
 */
export const scheduledInput = `CASE WHEN requested_by = 'schedule' AND drop_folder IS NULL
  THEN concat_ws(' ', input, md5(sealed_input)) END`

export async function readLateness(tx: Tx, held: ReadonlyMap<string, HoldingRun>): Promise<Lateness[]> {
  const schedules = (await listSchedulesOverHttp(tx)).filter(({ pausedAt }) => pausedAt === null)
  const [clock] = await tx.query<{ now: Date }>('SELECT now()')
  if (!clock) throw new Error('the clock gave no row')
  const ends = await tx.query<RunsEnded>(
    sql`SELECT source, ${scheduledInput} AS scheduled, max(finished_at) AS "endedAt"
     FROM ingest.run
     WHERE status IN ('succeeded', 'no_op') AND finished_at IS NOT NULL AND undo IS NULL AND drop_folder IS NULL
     GROUP BY 1, 2`,
  )
  const inputs = await tx.query<{ name: string; input: string | null }>(
    'SELECT name, input FROM runtime.scheduled_inputs()',
  )
  const inputOf = new Map(inputs.map(({ name, input }) => [name, input]))
  return schedules.map((row) => ({
    schedule: row.name,
    holder: holderOf(held, row.payload),
    lateSeconds: secondsLate(row, answeredAt(row, inputOf.get(row.name), ends), clock.now),
  }))
}

/** When the newest successful run ended. */
interface RunsEnded {
  readonly source: string
  readonly scheduled: string | null
  readonly endedAt: Date
}

/** When the schedule last achieved its purpose. */
function answeredAt(row: ScheduleRow, input: string | null | undefined, ends: readonly RunsEnded[]): Date {
  const { source } = row.payload
  if (!input || !/^https?:/.test(input)) return settledUntil(row)
  const answers = ends.filter((each) => each.source === source && (each.scheduled ?? input) === input)
  const counted = row.settledAt ?? row.createdAt
  return new Date(Math.max(counted.getTime(), ...answers.map(({ endedAt }) => endedAt.getTime())))
}

function secondsLate({ cron, timezone }: ScheduleRow, answered: Date, now: Date): number {
  const [missed] = slotsAfter(cron, timezone, answered, 1)
  return missed ? Math.max(0, (now.getTime() - missed.getTime()) / 1000) : 0
}
