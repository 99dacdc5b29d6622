/**
 * Turns an import's matches into a run of each standing order. A run needs approval if it is the first that finds
 * anything, or finds far more than on a usual day; an order that only notifies needs none, since nothing is spent. A
 * standing order that has been paused since gets no run.
 */
import { standingTerms } from '../../config/plans.ts'
import type { Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { announce } from '../notify/announce.ts'

export interface FoundMatches {
  /** Id of the standing order. */
  readonly id: string
  /** Matches that are in no run yet. */
  readonly matches: number
}

interface Made extends FoundMatches {
  readonly runId: number
  readonly accountId: string
  readonly name: string
  readonly usual: number | null
  readonly reason: 'first_run' | 'unusual' | null
}

const makeSql = sqlFile(import.meta.url, 'make-runs.sql')

/**
 * Locks the standing orders like a purchase does, in a fixed order: a pause comes before or after, never between the
 * count and the run.
 */
export async function holdStandings(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(
    'SELECT FROM orders.standing_order WHERE standing_order_id = ANY ($1::uuid[]) ORDER BY standing_order_id FOR NO KEY UPDATE',
    [ids],
  )
}

/**
 * @param found of standing orders that this transaction has locked; the caller assigns the matches to their runs.
 * @param importRunId null if there are several imports.
 * @returns the runs by standing order; an inactive one has none.
 */
export async function makeRuns(
  tx: Tx,
  found: readonly FoundMatches[],
  importRunId: number | null,
): Promise<ReadonlyMap<string, number>> {
  if (found.length === 0) return new Map()
  const { unusualTimes, usualDays } = standingTerms
  const made = await tx.query<Made>(makeSql, [
    found.map(({ id }) => id),
    found.map(({ matches }) => matches),
    ...[importRunId, unusualTimes, usualDays],
  ])
  for (const { runId, id, accountId, name, matches, usual, reason } of made) {
    if (reason === null) continue
    const data = { standing_order_id: id, name, run_id: runId, matches, usual, reason }
    await announce(tx, accountId, 'standing_order.needs_approval', data, { about: `${id}:${runId}`, data })
  }
  return new Map(made.map(({ id, runId }) => [id, runId]))
}
