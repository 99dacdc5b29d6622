/** Runs that need approval: until an operator decides, schedules ingest nothing more of their sources. */
import type { Queryable } from '../../db/db.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { AppError } from '../../errors.ts'

export interface HoldingRun {
  readonly run_id: number
  /** When its file was requested. */
  readonly since: Date
}

/** @returns the oldest holding run of each held source. */
export async function readHoldingRuns(db: Queryable): Promise<ReadonlyMap<string, HoldingRun>> {
  const runs = await db.query<HoldingRun & { readonly source: string }>(
    `SELECT DISTINCT ON (source) source, run_id, coalesce(started_at, created_at) AS since
     FROM ingest.run WHERE status = 'needs_approval' ORDER BY source, run_id`,
  )
  return new Map(runs.map(({ source, run_id, since }) => [source, { run_id, since }]))
}

/** @throws AppError CONFLICT if the schedule's job would do nothing until an operator decides about a run. */
export async function requireFreeSource(db: Queryable, schedule: string, payload: unknown): Promise<void> {
  const holding = holderOf(await readHoldingRuns(db), payload)
  if (!holding) return
  const { run_id, since } = holding
  throw new AppError(
    'CONFLICT',
    `Nothing was started: schedule ${schedule} is held by import ${run_id} since ${shownInstant(since)}, which waits for a decision. \`panji runs ${run_id}\` says why; end the wait with \`panji approve ${run_id}\` or \`panji discard ${run_id}\`.`,
    { extra: { held_by: run_id } },
  )
}

/** The run that holds the source of a schedule; undefined for a schedule that ingests nothing. */
export function holderOf(held: ReadonlyMap<string, HoldingRun>, payload: unknown): HoldingRun | undefined {
  const source = typeof payload === 'object' && payload !== null && 'source' in payload ? payload.source : undefined
  return typeof source === 'string' ? held.get(source) : undefined
}
