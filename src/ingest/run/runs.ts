/** Reads runs and their rejects, with the names of the operator API. */

import type { Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { madeUntil } from '../../db/until.ts'
import { AppError } from '../../errors.ts'
import type { RunDecision } from './decision.ts'
import { finishedStatuses, type RunStatus } from './transitions.ts'

/** One run as `panji runs` and `/admin/ingest/runs` print it. */
export interface RunRecord {
  readonly run_id: number
  readonly source: string
  readonly status: RunStatus
  readonly rows_read: number
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** Not applied, because a newer snapshot of the same partition was applied before. */
  readonly skipped: number
  readonly closed: number
  readonly rejected: number
  readonly sha256: string | null
  readonly seconds: number | null
  readonly input: string
  readonly mode: 'snapshot' | 'delta'
  readonly as_of: string
  readonly force: boolean
  /** Ends as `previewed`, with the counts of what it would have done. */
  readonly dry_run: boolean
  readonly attempt: number
  readonly bytes: number | null
  readonly header: readonly string[] | null
  /** Column of the file → field of the source, if an operator has mapped it, for this run or an earlier one. */
  readonly column_map: Readonly<Record<string, string>> | null
  readonly covered: readonly string[] | null
  readonly scopes: readonly string[] | null
  readonly progress: RunProgress
  readonly report: Readonly<Record<string, unknown>>
  readonly error: {
    readonly code: string
    readonly message: string
    readonly reasons?: readonly string[]
    /** The source that the file belongs to, if it was ingested as another. */
    readonly source?: string
  } | null
  readonly approved_at: Date | null
  /** For a run that needed approval: the last decision and its reason. */
  readonly decision: RunDecision | null
  readonly requested_by: string
  /** For a run that undoes others: which one, whether also all later ones, and why. */
  readonly undo: { readonly run_id: number; readonly through: boolean; readonly reason: string } | null
  /** The runs that it undid, newest first. */
  readonly undoes: readonly number[] | null
  readonly undone_by: number | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

export interface RunProgress {
  readonly step?: string
  readonly bytes_read?: number
  readonly bytes_total?: number
  readonly rows?: number
  /** Start of the step, UTC timestamp, and its expected duration according to an earlier run. */
  readonly since?: string
  readonly expected_seconds?: number
}

export interface RejectRecord {
  readonly line: number
  readonly code: string
  readonly message: string
  readonly raw: string
}

// The `runs` of an undo are for the worker alone, which undoes these or none; `undoes` has those that were undone.
const columns = `run_id, source, status, rows_read, inserted, updated, unchanged, skipped, closed, rejected, sha256, seconds, input,
  mode, as_of, force, dry_run, attempt, bytes, header, column_map, covered, scopes, progress, report, error, approved_at, decision,
  requested_by, undo - 'runs' AS undo, to_jsonb(undoes) AS undoes, undone_by, created_at, started_at, finished_at`

export async function readRun(db: Queryable, runId: number): Promise<RunRecord | undefined> {
  const [run] = await db.query<RunRecord>(sql`SELECT ${columns} FROM ingest.run WHERE run_id = $1`, [runId])
  return run
}

/** The complete address that the row shows bare; never part of a response. */
export async function readSealedInput(db: Queryable, runId: number): Promise<string | null> {
  const [run] = await db.query<{ sealed: string | null }>(
    'SELECT sealed_input AS sealed FROM ingest.run WHERE run_id = $1',
    [runId],
  )
  return run?.sealed ?? null
}

/** Whether its input must be an upload or an address. */
export async function readIsOverHttp(db: Queryable, runId: number): Promise<boolean> {
  const rows = await db.query('SELECT FROM ingest.run WHERE run_id = $1 AND over_http', [runId])
  return rows.length > 0
}

/** @throws AppError NOT_FOUND */
export async function getRun(db: Queryable, runId: number): Promise<RunRecord> {
  const run = await readRun(db, runId)
  if (!run) throw new AppError('NOT_FOUND', `There is no run ${runId}.`)
  return run
}

/** @returns the newest run of the source that is queued or running. */
export async function findOpenRun(db: Queryable, source: string): Promise<number | undefined> {
  const [run] = await db.query<{ run_id: number }>(
    'SELECT run_id FROM ingest.run WHERE source = $1 AND status <> ALL ($2::text[]) ORDER BY run_id DESC LIMIT 1',
    [source, finishedStatuses],
  )
  return run?.run_id
}

/**
 * Whether the open runs of the source are all of other inputs, and at work: this input has its turn when they have
 * ended. A run that needs approval holds every input of its source.
 */
export async function areOthersAtWork(
  db: Queryable,
  { source, input, sealed }: { readonly source: string; readonly input: string; readonly sealed?: string | undefined },
): Promise<boolean> {
  const [open] = await db.query<{ others: boolean | null }>(
    `SELECT bool_and(status <> 'needs_approval'
                     AND (coalesce(drop_folder, input), sealed_input) IS DISTINCT FROM ($2::text, $3::text)) AS others
     FROM ingest.run WHERE source = $1 AND status <> ALL ($4::text[])`,
    [source, input, sealed ?? null, finishedStatuses],
  )
  return open?.others ?? false
}

export interface RunFilter {
  readonly source?: string | undefined
  readonly status?: RunStatus | undefined
  /** Only runs created at or before this time. */
  readonly until?: string | undefined
  /** From 1. */
  readonly page?: number
  readonly limit?: number
  readonly sort?: SortOf<'created_at' | 'source' | 'as_of' | 'status'> | undefined
}

export const runSorts = listSorts('created_at-', {
  by: { created_at: 'run_id', source: 'source', as_of: 'as_of', status: 'status' },
  tie: 'run_id DESC',
})

const filtered = sql`FROM ingest.run WHERE ($1::text IS NULL OR source = $1) AND ($2::text IS NULL OR status = $2)
  AND ${madeUntil('created_at', '$3')}`

/** Newest first by default. */
export async function listRuns(db: Queryable, filter: RunFilter = {}): Promise<RunRecord[]> {
  const { source, status, until, page = 1, limit = 50, sort } = filter
  return db.query<RunRecord>(sql`SELECT ${columns} ${filtered} ORDER BY ${runSorts.orderBy(sort)} LIMIT $4 OFFSET $5`, [
    source ?? null,
    status ?? null,
    until ?? null,
    limit,
    (page - 1) * limit,
  ])
}

/** Over all pages. */
export async function countRuns(db: Queryable, { source, status, until }: RunFilter): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${filtered}`, [
    source ?? null,
    status ?? null,
    until ?? null,
  ])
  return row?.total ?? 0
}

/** In the order of the file, optionally only those of one code. */
export async function listRejects(db: Queryable, runId: number, code?: string): Promise<RejectRecord[]> {
  return db.query<RejectRecord>(
    `SELECT line, code, message, raw FROM ingest.reject
     WHERE run_id = $1 AND ($2::text IS NULL OR code = $2) ORDER BY line`,
    [runId, code ?? null],
  )
}
