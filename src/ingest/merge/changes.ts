/**
 * What a whole file changed of the records that the register held, column by column: a complete file may be a wrong one. Read from
 * the history that the merge has just written, and only where so much was written that a column can have changed too often.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { turnOf } from '../run/turns.ts'
import { type ColumnChange, changedShareMax } from './guards.ts'

/** Fewer records that were known tell nothing of a file. */
const knownMin = 1000
/** Their median counts; runs that there were not yet changed nothing. */
const runsLearntFrom = 5

export interface WrittenRun {
  readonly runId: number
  /** Records of the file that the register held, and of those the ones that were written. */
  readonly known: number
  readonly updated: number
}

/** Changes from a value alone: what a fuller file fills is no change. @returns none where none can be too many. */
export async function readChanges(
  tx: Tx,
  source: Source,
  { runId, known, updated }: WrittenRun,
): Promise<ColumnChange[]> {
  if (known < knownMin || updated <= changedShareMax(source.bounds) * known) return []
  return tx.query<ColumnChange>(
    sql`WITH changed AS (
       SELECT field.key AS column_name, count(*) AS rows, min(h.change_id) AS example
       FROM ingest.change h CROSS JOIN LATERAL jsonb_each_text(h.before) field
       WHERE h.run_id = $1 AND h.kind = 'update' AND field.value IS NOT NULL
       GROUP BY 1
     ), earlier AS (
       SELECT coalesce(r.report -> 'changed_shares', '{}') AS shares FROM ingest.run r
       WHERE r.source = $2 AND r.mode = 'snapshot' AND r.status = 'succeeded' AND r.undo IS NULL AND r.undone_by IS NULL AND r.updated + r.unchanged > 0
       ORDER BY ${turnOf('r')} DESC LIMIT $4
     )
     SELECT column_name AS "column", rows, $3::bigint AS known, h.identifier, h.before ->> column_name AS "before",
            h.after ->> column_name AS "after",
            (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY share)
             FROM (SELECT coalesce((shares ->> column_name)::float8, 0) AS share FROM earlier
                   UNION ALL SELECT 0 FROM generate_series(1, $4 - (SELECT count(*) FROM earlier))) runs) AS usual
     FROM changed JOIN ingest.change h ON h.change_id = changed.example ORDER BY rows DESC, column_name`,
    [runId, source.name, known, runsLearntFrom],
  )
}
