/**
 * The order in which the runs of a source were applied. A run that needed approval is applied after runs that were
 * requested later, so the order of run ids does not determine the register's state.
 */

import type { Queryable } from '../../db/db.ts'

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

/**
 * Runs of the source that were applied after that turn, or found the register identical to their file; oldest first. A
 * run with the same bytes as one that still needs approval says nothing about the register, and has no partitions.
 */
export async function appliedSince(db: Queryable, source: string, turn: number): Promise<LaterRun[]> {
  return db.query<LaterRun>(
    `SELECT run_id, r.turn FROM ingest.run r
     WHERE source = $1 AND (status = 'succeeded' OR status = 'no_op' AND scopes IS NOT NULL)
       AND r.turn > $2 ORDER BY turn`,
    [source, turn],
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
