import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import type { RunRecord } from '../../../ingest/run/runs.ts'
import { runStatuses } from '../../../ingest/run/transitions.ts'
import { day, timestamp } from '../../formats.ts'
import type { Shown } from '../../operation.ts'

const count = z.number()

export const IngestRun = z
  .looseObject({
    run_id: count,
    source: z.string(),
    status: z.enum(runStatuses),
    rows_read: count,
    inserted: count,
    updated: count,
    unchanged: count,
    skipped: count.describe('Not applied, because a newer snapshot of the same partition was applied before'),
    closed: count,
    rejected: count,
    sha256: z.string().nullable(),
    seconds: z.number().nullable(),
    input: z.string().describe('Where it came from, without credentials'),
    mode: z.enum(['snapshot', 'delta']),
    as_of: day('Day that the snapshot describes, YYYY-MM-DD'),
    force: z.boolean().describe('Ingested although the same file was ingested before'),
    dry_run: z.boolean().describe('Ends as previewed, with the counts of what it would have done'),
    attempt: count,
    bytes: count.nullable().describe('Size of the file'),
    header: z.array(z.string()).readonly().nullable().describe('Columns of the file'),
    column_map: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Column of the file → field of the source, as mapped by an operator for this run or an earlier one'),
    covered: z.array(z.string()).readonly().nullable().describe('Columns of the register that the header covers'),
    scopes: z.array(z.string()).readonly().nullable().describe('Partitions that the file covers'),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        reasons: z.array(z.string()).readonly().exactOptional(),
        source: z
          .string()
          .describe('The source that the file belongs to, where it was sent to another')
          .exactOptional(),
      })
      .nullable()
      .describe('Why it failed, is waiting, or is retried'),
    requested_by: z.string(),
    progress: z
      .looseObject({
        step: z.string().optional().describe('stage, check or merge'),
        rows: count.optional(),
        bytes_read: count.optional(),
        bytes_total: count.optional(),
        since: timestamp().optional(),
        expected_seconds: count.optional().describe('From the previous run of the source'),
      })
      .describe('Progress of a run at work; empty once it has succeeded'),
    report: z
      .record(z.string(), z.unknown())
      .describe('Rejects by code, repairs by kind, date orders, unknown words, header and its drift, seconds per step'),
    undo: z
      .object({ run_id: count, through: z.boolean(), reason: z.string() })
      .nullable()
      .describe('For an undo: which run, whether also all after it, and why'),
    undoes: z.array(count).nullable().describe('The runs that it undid, newest first'),
    undone_by: count.nullable().describe('The run that undid this one'),
    decision: z
      .object({
        outcome: z.enum(['approved', 'discarded']),
        by: z.string(),
        reason: z.string(),
        supersede: z.boolean(),
      })
      .nullable()
      .describe("For a run that waited: an operator's decision and reason; null while it waits"),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    approved_at: timestamp().nullable(),
  })
  .meta({ id: 'IngestRun' })

export const RunPath = z.object({ id: z.string().meta({ description: 'run_id', examples: ['1'] }) })

/** @throws AppError NOT_FOUND for anything that is not a number. */
export function runIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('NOT_FOUND', 'There is no such run.')
  return Number(id)
}

export function runOf(run: RunRecord): Shown<typeof IngestRun> {
  const { created_at, started_at, finished_at, approved_at, ...rest } = run
  return {
    ...rest,
    progress: { ...run.progress },
    report: { ...run.report },
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    approved_at: approved_at?.toISOString() ?? null,
  }
}
