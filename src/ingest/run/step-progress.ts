/** Progress of a step that consists of a few long statements: rows, start time, and expected duration. */
import type { Queryable } from '../../db/db.ts'
import type { RunProgress, RunRecord } from './runs.ts'

/**
 * The expected time per row comes from the source's last run with at least a tenth of the rows; without one, no
 * duration is given.
 */
export async function stepProgress(
  db: Queryable,
  run: Pick<RunRecord, 'source' | 'run_id'>,
  step: 'check' | 'merge',
  rows: number,
): Promise<RunProgress> {
  const [last] = await db.query<{ seconds_per_row: number | null }>(
    `SELECT (report -> 'seconds' ->> $3)::float8 / rows_read AS seconds_per_row FROM ingest.run
     WHERE source = $1 AND run_id < $2 AND status = 'succeeded' AND undo IS NULL AND rows_read > greatest($4::bigint / 10, 0)
     ORDER BY run_id DESC LIMIT 1`,
    [run.source, run.run_id, step, rows],
  )
  const perRow = last?.seconds_per_row ?? null
  return {
    step,
    rows,
    since: new Date().toISOString(),
    ...(perRow === null ? {} : { expected_seconds: Math.round(perRow * rows * 10) / 10 }),
  }
}
