/**
 * The order in which the runs of a source were applied. A run that needed approval is applied after runs that were
 * requested later, so the order of run ids does not determine the register's state.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Call under the source's lock, in the transaction that ends the run or makes it need approval. */
export async function nextTurn(tx: Queryable, source: string): Promise<number> {
  const [next] = await tx.query<{ turn: number }>(
    `SELECT coalesce(max(r.turn), 0) + 1 AS turn FROM ingest.run r WHERE source = $1`,
    [source],
  )
  return next?.turn ?? 1
}

export interface LaterRun {
  readonly run_id: number
  readonly turn: number
}

/** Whether two lists of partitions overlap. A file without a partition column may have changed any. */
export const overlap = (some: string, others: string): string =>
  sql`(${some} && ${others} OR ${some} = '{}' OR ${others} = '{}')`

/**
 * Runs that were applied to partitions of the run after that turn, or found them identical to their file; oldest first.
 * A run with the same bytes as one that still needs approval says nothing about the register, and has no partitions.
 */
export async function appliedSince(
  db: Queryable,
  { source, scopes }: { readonly source: string; readonly scopes: readonly string[] | null },
  turn: number,
): Promise<LaterRun[]> {
  return db.query<LaterRun>(
    sql`SELECT run_id, r.turn FROM ingest.run r
     WHERE source = $1 AND (status = 'succeeded' OR status = 'no_op' AND scopes IS NOT NULL)
       AND r.turn > $2 AND ${overlap('r.scopes', '$3::text[]')} ORDER BY turn`,
    [source, turn, scopes ?? []],
  )
}

/** @returns null for a run that was not approved. */
export async function readApprovedTurn(
  db: Queryable,
  run: { readonly run_id: number; readonly approved_at: Date | null },
): Promise<number | null> {
  if (run.approved_at === null) return null
  const [row] = await db.query<{ turn: number | null }>(
    'SELECT approved_turn AS turn FROM ingest.run WHERE run_id = $1',
    [run.run_id],
  )
  return row?.turn ?? null
}

/** `import 12`, `imports 12, 14 and 3 more` */
export function namedRuns(runs: readonly Pick<LaterRun, 'run_id'>[]): string {
  const named = runs.slice(0, 5).map(({ run_id }) => run_id)
  const more = runs.length > named.length ? ` and ${runs.length - named.length} more` : ''
  return `${runs.length === 1 ? 'import' : 'imports'} ${named.join(', ')}${more}`
}
