/** The partitions of a source, and the day as of which each is complete. */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Records that the partitions are complete as of a day; from then on, older snapshots of them change nothing. */
export async function noteScopes(
  tx: Tx,
  seen: { readonly source: string; readonly asOf: string; readonly runId: number },
  scopes: readonly string[],
): Promise<void> {
  await tx.execute(
    `UPDATE ingest.run SET scopes_before = coalesce(
       (SELECT jsonb_agg(jsonb_build_object('scope', scope, 'as_of', as_of, 'run_id', run_id) ORDER BY scope)
        FROM ingest.scope WHERE source = $2 AND scope = ANY ($3::text[])), '[]')
     WHERE run_id = $1`,
    [seen.runId, seen.source, scopes],
  )
  // Invariant: a partition's date never decreases.
  await tx.execute(
    `INSERT INTO ingest.scope AS s (source, scope, as_of, run_id)
     SELECT $1, scope, $2, $3 FROM unnest($4::text[]) AS scope
     ON CONFLICT (source, scope) DO UPDATE SET as_of = excluded.as_of, run_id = excluded.run_id
     WHERE s.as_of <= excluded.as_of`,
    [seen.source, seen.asOf, seen.runId, scopes],
  )
}

/** The requester of a removed sample run that a history still refers to. */
export const removedSampleRequester = 'sample (removed)'

/**
 * Resets each partition to the day of its newest effective run. Runs that are no longer in effect, including the given
 * ones, are skipped. A run that found the content of one of them already known depended on it, so its day is discarded
 * as well. A partition without any effective run is removed.
 */
export async function restoreScopes(tx: Tx, source: string, runs: readonly number[]): Promise<void> {
  await tx.execute(
    sql`WITH RECURSIVE fallen AS (
       SELECT run_id, sha256, scopes_before FROM ingest.run
       WHERE source = $1 AND (run_id = ANY ($2::bigint[]) OR undone_by IS NOT NULL OR requested_by = $3)
     ), gone AS (
       SELECT run_id, scopes_before FROM fallen
       UNION ALL
       SELECT r.run_id, r.scopes_before FROM ingest.run r
       WHERE r.source = $1 AND r.status = 'no_op' AND r.sha256 IN (SELECT sha256 FROM fallen)
         AND (SELECT taken.run_id FROM ingest.run taken
              WHERE taken.source = $1 AND taken.sha256 = r.sha256 AND taken.status = 'succeeded'
                AND taken.turn < r.turn
              ORDER BY taken.turn DESC LIMIT 1) IN (SELECT run_id FROM fallen)
     ), noted AS (
       SELECT s.scope, s.as_of, s.run_id FROM ingest.scope s JOIN gone USING (run_id) WHERE s.source = $1
       UNION ALL
       SELECT noted.scope, least(noted.as_of, before.as_of), before.run_id
       FROM noted JOIN gone USING (run_id)
         LEFT JOIN LATERAL jsonb_to_recordset(gone.scopes_before) AS before(scope text, as_of date, run_id bigint)
           ON before.scope = noted.scope
     ), found AS (
       SELECT noted.scope, noted.as_of, standing.run_id
       FROM noted LEFT JOIN ingest.run standing ON standing.run_id = noted.run_id
       WHERE noted.run_id IS NULL OR noted.run_id NOT IN (SELECT run_id FROM gone)
     ), unknown AS (
       DELETE FROM ingest.scope s USING found
       WHERE s.source = $1 AND s.scope = found.scope AND found.run_id IS NULL
     )
     UPDATE ingest.scope s SET as_of = found.as_of, run_id = found.run_id
     FROM found WHERE s.source = $1 AND s.scope = found.scope AND found.run_id IS NOT NULL`,
    [source, runs, removedSampleRequester],
  )
}
