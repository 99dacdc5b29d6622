/** The scopes of a source, and the day as of which each was last seen whole. */
import type { Tx } from '../../db/db.ts'

/** Notes that the scopes were seen as of a day; from then on older snapshots of them change nothing. */
export async function noteScopes(
  tx: Tx,
  seen: { readonly source: string; readonly asOf: string; readonly runId: number },
  scopes: readonly string[],
): Promise<void> {
  // Invariant: a scope's date never goes back.
  await tx.execute(
    `INSERT INTO ingest.scope AS s (source, scope, as_of, run_id)
     SELECT $1, scope, $2, $3 FROM unnest($4::text[]) AS scope
     ON CONFLICT (source, scope) DO UPDATE SET as_of = excluded.as_of, run_id = excluded.run_id
     WHERE s.as_of <= excluded.as_of`,
    [seen.source, seen.asOf, seen.runId, scopes],
  )
}
