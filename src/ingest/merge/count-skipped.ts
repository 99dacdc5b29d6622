/**
 * Counts the rows of a file that a newer snapshot holds back, whether or not they differ from the register, and names
 * their partitions.
 */
import type { Tx } from '../../db/db.ts'
import type { Matched } from '../check/match.ts'
import { heldBack, heldBackMatched } from './statements/held-back.ts'
import type { MergeTarget } from './statements/target.ts'

export interface Skipped {
  readonly rows: number
  /** Those with a later day that held rows back. */
  readonly scopes: readonly string[]
}

/** Usually nothing of the source is newer, and nothing is read. Call after the rows were written. */
export async function countSkipped(
  tx: Tx,
  target: MergeTarget,
  { runId, asOf, matched }: { readonly runId: number; readonly asOf: string; readonly matched: Matched | undefined },
  staleScopes: readonly string[],
): Promise<Skipped> {
  const { source } = target
  const newer = await tx.query(
    `SELECT 1 FROM ingest.run WHERE source = $1 AND as_of > $2 AND status = 'succeeded' LIMIT 1`,
    [source.name, asOf],
  )
  if (newer.length === 0 && staleScopes.length === 0) return { rows: 0, scopes: [] }
  const values = [runId, asOf, staleScopes]
  const [checked] = await tx.query<Skipped>(heldBack(target), values)
  const [known] = matched ? await tx.query<Skipped>(heldBackMatched(target, matched.unmatchedTable), values) : []
  const both = [checked, known].filter((each) => each !== undefined)
  return {
    rows: both.reduce((sum, { rows }) => sum + rows, 0),
    scopes: [...new Set(both.flatMap(({ scopes }) => scopes))].toSorted(),
  }
}
