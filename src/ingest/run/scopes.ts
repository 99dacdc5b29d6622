/** The scopes of a source, and the day as of which each was last seen whole. */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { turnOf } from './turns.ts'

/** Notes that the scopes were seen as of a day; from then on older snapshots of them change nothing. */
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
  // Invariant: a scope's date never goes back.
  await tx.execute(
    `INSERT INTO ingest.scope AS s (source, scope, as_of, run_id)
     SELECT $1, scope, $2, $3 FROM unnest($4::text[]) AS scope
     ON CONFLICT (source, scope) DO UPDATE SET as_of = excluded.as_of, run_id = excluded.run_id
     WHERE s.as_of <= excluded.as_of`,
    [seen.source, seen.asOf, seen.runId, scopes],
  )
}

/**
 * Puts the scopes back to what they were before the first of these runs noted them; those that a run noted since which
 * stands are left. A run that found the content of one of them known rested upon it, so its note goes as well.
 */
export async function restoreScopes(tx: Tx, source: string, runs: readonly number[]): Promise<void> {
  const noted = sql`
    WITH taken AS (
      SELECT r.run_id, r.scopes, r.scopes_before, ${turnOf('r')} AS turn FROM ingest.run r
      WHERE r.source = $1 AND (r.run_id = ANY ($2::bigint[]) OR r.status = 'no_op'
        AND r.sha256 IN (SELECT sha256 FROM ingest.run WHERE run_id = ANY ($2::bigint[]))
        AND ${turnOf('r')} > (SELECT min(${turnOf('u')}) FROM ingest.run u WHERE u.run_id = ANY ($2::bigint[])))
    ), found AS (
      SELECT s.scope, before.as_of, standing.run_id
      FROM ingest.scope s
        LEFT JOIN LATERAL (SELECT t.scopes_before FROM taken t WHERE s.scope = ANY (t.scopes) AND t.scopes_before IS NOT NULL
                           ORDER BY t.turn LIMIT 1) first ON true
        LEFT JOIN LATERAL (SELECT * FROM jsonb_to_recordset(first.scopes_before) AS b(scope text, as_of date, run_id bigint)
                           WHERE b.scope = s.scope) before ON true
        LEFT JOIN ingest.run standing ON standing.run_id = before.run_id
      WHERE s.source = $1 AND s.run_id IN (SELECT run_id FROM taken)
    )`
  await tx.execute(
    sql`${noted}
     UPDATE ingest.scope s SET as_of = least(s.as_of, found.as_of), run_id = found.run_id
     FROM found WHERE s.source = $1 AND s.scope = found.scope AND found.run_id IS NOT NULL`,
    [source, runs],
  )
  // What is left of them was not known before.
  await tx.execute(
    sql`${noted}
     DELETE FROM ingest.scope s USING found WHERE s.source = $1 AND s.scope = found.scope AND found.run_id IS NULL`,
    [source, runs],
  )
}
