/**
 * The order in which the runs of a source were applied. A run that waited for an operator is applied after runs that
 * were asked for later, so the order of the numbers says nothing about the state that the register is in.
 */

import type { Queryable } from '../../db/db.ts'

/** Call under the source's lock, in the transaction that ends the run or lets it wait. */
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
 * Runs of the source that were applied, or found the register as their file has it, after that turn; oldest first. Of a run that had
 * the bytes of one that still waits, nothing is known of the register, and it names no parts.
 */
export async function appliedSince(db: Queryable, source: string, turn: number): Promise<LaterRun[]> {
  return db.query<LaterRun>(
    `SELECT run_id, r.turn FROM ingest.run r
     WHERE source = $1 AND (status = 'succeeded' OR status = 'no_op' AND scopes IS NOT NULL)
       AND r.turn > $2 ORDER BY turn`,
    [source, turn],
  )
}

/** @returns null for a run that nobody approved. */
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
