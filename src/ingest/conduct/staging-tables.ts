/** The work tables of a run. They are dropped when it ends; those left by a killed process are swept. */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Matched } from '../check/match.ts'
import { type RunRecord, readRun } from '../run/runs.ts'
import { finishedStatuses, isAtRest } from '../run/transitions.ts'
import { dropWorkTables } from '../run/work-tables.ts'

export async function dropStagingTables(tx: Queryable, runId: number): Promise<void> {
  await dropWorkTables(tx, runId, ['contents', 'stage', 'lines', 'unmatched', 'checked'])
}

/**
 * Drops the tables of a failed attempt.
 * @returns false if the run has finished or needs approval: then the failure came after the commit.
 */
export async function abandonStaging(tx: Queryable, runId: number): Promise<boolean> {
  const run = await readRun(tx, runId)
  if (!run || isAtRest(run.status)) return false
  await dropStagingTables(tx, runId)
  return true
}

/** Drops the tables of finished runs. Those of runs that need approval stay. */
export async function sweepStagingTables(tx: Queryable): Promise<void> {
  const orphans = await tx.query<{ runId: number }>(
    `SELECT DISTINCT found.run_id AS "runId"
     FROM (SELECT substring(relname FROM '^(?:contents|stage|lines|unmatched|checked)_([0-9]+)$')::bigint AS run_id
           FROM pg_class WHERE relnamespace = 'ingest'::regnamespace AND relkind = 'r') found
     LEFT JOIN ingest.run USING (run_id)
     WHERE found.run_id IS NOT NULL
       AND (run.run_id IS NULL OR run.status = ANY ($1::text[]))`,
    [finishedStatuses],
  )
  for (const { runId } of orphans) await dropStagingTables(tx, runId)
}

/**
 * What a run that needed approval continues with: its checked table, and the comparison with the register if there was
 * one.
 * @returns false if they are no longer valid, because a crash of the server emptied them or another run changed the
 *   register.
 */
export async function checkedTablesHold(
  tx: Queryable,
  source: Source,
  run: Pick<RunRecord, 'run_id' | 'report'>,
): Promise<Matched | undefined | false> {
  const { checked = -1, matched } = run.report as { checked?: number; matched?: Matched | null }
  if (!(await holdsRows(tx, `ingest.checked_${run.run_id}`, checked))) return false
  if (!matched) return undefined
  const [now] = await tx.query<{ version: number }>(
    'SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version',
    [source.entity],
  )
  const holds = now?.version === matched.version && (await holdsRows(tx, matched.unmatchedTable, matched.rows))
  return holds ? matched : false
}

async function holdsRows(tx: Queryable, name: string, rows: number): Promise<boolean> {
  const [table] = await tx.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [name])
  if (!table?.name) return false
  const [count] = await tx.query<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${table.name}`)
  return count?.rows === rows
}
