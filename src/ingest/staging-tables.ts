/** The tables that a run works in. They are dropped with the run's end; what a killed process left is swept. */
import type { Queryable } from '../db/db.ts'
import { finishedStatuses, readRun } from './runs.ts'

export async function dropStagingTables(tx: Queryable, runId: number): Promise<void> {
  await tx.execute(`DROP TABLE IF EXISTS ingest.stage_${runId}, ingest.lines_${runId}, ingest.checked_${runId}`)
}

/**
 * Drops the tables of an attempt that failed.
 * @returns false where the run has come to its end, or waits: what failed came after the commit, or was its answer.
 */
export async function abandonStaging(tx: Queryable, runId: number): Promise<boolean> {
  const run = await readRun(tx, runId)
  if (!run || run.status === 'needs_approval' || finishedStatuses.has(run.status)) return false
  await dropStagingTables(tx, runId)
  return true
}

/** Drops the tables of runs that have ended. Those of a run that waits for approval stay. */
export async function sweepStagingTables(tx: Queryable): Promise<void> {
  const orphans = await tx.query<{ runId: number }>(
    `SELECT DISTINCT found.run_id AS "runId"
     FROM (SELECT substring(relname FROM '^(?:stage|lines|checked)_([0-9]+)$')::bigint AS run_id
           FROM pg_class WHERE relnamespace = 'ingest'::regnamespace AND relkind = 'r') found
     LEFT JOIN ingest.run USING (run_id)
     WHERE found.run_id IS NOT NULL
       AND (run.run_id IS NULL OR run.status IN ('succeeded', 'no_op', 'failed', 'discarded'))`,
  )
  for (const { runId } of orphans) await dropStagingTables(tx, runId)
}

/** True while the checked table of a run that waited for approval is whole; a crash of the server empties it. */
export async function checkedTableHolds(tx: Queryable, runId: number, rows: number): Promise<boolean> {
  const [table] = await tx.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [`ingest.checked_${runId}`])
  if (!table?.name) return false
  const [count] = await tx.query<{ rows: number }>(`SELECT count(*) AS rows FROM ingest.checked_${runId}`)
  return count?.rows === rows
}
