import { z } from 'zod'
import { type Actor, audit } from '../../../audit/audit.ts'
import type { Db, Tx } from '../../../db/db.ts'
import { type HoldingRun, holderOf } from '../../../ingest/run/holding-runs.ts'
import { shownInput } from '../../../ingest/run/source-address.ts'
import { slotsAfter } from '../../../queue/schedule/due-slots.ts'
import { lastRunOf, type ScheduleRow } from '../../../queue/schedule/schedules.ts'
import { timestamp } from '../../formats.ts'

export const Schedule = z
  .object({
    name: z.string(),
    cron: z.string().describe('Minute hour day month weekday'),
    timezone: z.string(),
    job: z.string(),
    source: z.string().nullable().describe('The source that it ingests, if any'),
    input: z.string().nullable().describe('Where its files come from, without credentials'),
    mode: z.enum(['snapshot', 'delta']).nullable().describe('Of its files; null for the default of the source'),
    origin: z.enum(['config', 'operator']).describe('Built in, or added by an operator'),
    paused: z.boolean(),
    held_by: z
      .object({ run_id: z.number(), since: timestamp('at which it started') })
      .nullable()
      .describe('The run that waits for a decision; until then the schedule ingests nothing'),
    last_run: timestamp('of the newest slot, or of a later manual run').nullable(),
    next_run: timestamp('of the next slot').nullable(),
    next_runs: z.array(timestamp()).describe('The next three slots; none while it is paused'),
  })
  .meta({ id: 'Schedule' })

export type ScheduleReply = z.output<typeof Schedule>

export const SchedulePath = z.object({
  name: z.string().meta({ description: 'Name of the schedule', examples: ['nightly'] }),
})

export function scheduleReply(row: ScheduleRow, held: ReadonlyMap<string, HoldingRun>): ScheduleReply {
  const { name, cron, timezone, job, payload, origin, pausedAt } = row
  const { source, input, mode } = payload
  const holding = holderOf(held, payload)
  const next = pausedAt ? [] : slotsAfter(cron, timezone, new Date(), 3).map((slot) => slot.toISOString())
  return {
    ...{ name, cron, timezone, job, origin, paused: pausedAt !== null },
    held_by: holding ? { run_id: holding.run_id, since: holding.since.toISOString() } : null,
    source: typeof source === 'string' ? source : null,
    input: typeof input === 'string' ? shownInput(input) : null,
    mode: mode === 'snapshot' || mode === 'delta' ? mode : null,
    last_run: lastRunOf(row)?.toISOString() ?? null,
    next_run: next[0] ?? null,
    next_runs: next,
  }
}

/** An operator's change to a schedule and its audit log row, in one transaction. */
export const asAct = <T>(
  db: Db,
  actor: Actor,
  action: string,
  name: string,
  work: (tx: Tx) => Promise<T>,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<T> =>
  db.transaction(async (tx) => {
    const done = await work(tx)
    await audit(tx, { actor, action, subject: name, detail })
    return done
  })
