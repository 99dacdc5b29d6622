/**
 * How late schedules are by their own expressions. One that fetches a URL is satisfied by a successful run of its
 * source, any other by its job; a watched folder may be empty for weeks. A paused schedule is never late, and for one
 * that a run holds, that run is reported instead.
 */
import type { Tx } from '../../db/db.ts'
import { type HoldingRun, holderOf } from '../../ingest/run/holding-runs.ts'
import { slotsAfter } from '../../queue/schedule/due-slots.ts'
import { type ScheduleRow, settledUntil } from '../../queue/schedule/schedules.ts'
import { listSchedulesOverHttp } from '../../queue/schedule/schedules-over-http.ts'

export interface Lateness {
  readonly schedule: string
  readonly holder: HoldingRun | undefined
  readonly lateSeconds: number
}

export async function readLateness(tx: Tx, held: ReadonlyMap<string, HoldingRun>): Promise<Lateness[]> {
  const schedules = (await listSchedulesOverHttp(tx)).filter(({ pausedAt }) => pausedAt === null)
  const [clock] = await tx.query<{ now: Date }>('SELECT now()')
  if (!clock) throw new Error('the clock gave no row')
  const good = await tx.query<{ source: string; endedAt: Date }>(
    `SELECT source, max(finished_at) AS "endedAt" FROM ingest.run WHERE status IN ('succeeded', 'no_op') GROUP BY source`,
  )
  const ends = new Map(good.map(({ source, endedAt }) => [source, endedAt]))
  return schedules.map((row) => ({
    schedule: row.name,
    holder: holderOf(held, row.payload),
    lateSeconds: secondsLate(row, answeredAt(row, ends), clock.now),
  }))
}

/** When the schedule last achieved its purpose. */
function answeredAt(row: ScheduleRow, ends: ReadonlyMap<string, Date>): Date {
  const { source, input } = row.payload
  if (typeof source !== 'string' || typeof input !== 'string' || !/^https?:/.test(input)) {
    return settledUntil(row)
  }
  const ended = ends.get(source)
  const counted = row.settledAt ?? row.createdAt
  return ended && ended > counted ? ended : counted
}

function secondsLate({ cron, timezone }: ScheduleRow, answered: Date, now: Date): number {
  const [missed] = slotsAfter(cron, timezone, answered, 1)
  return missed ? Math.max(0, (now.getTime() - missed.getTime()) / 1000) : 0
}
