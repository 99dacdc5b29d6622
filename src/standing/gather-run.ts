/** Turns the matches since a schedule's last run into one run; an inactive standing order gets none. */
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type FoundMatches, holdStandings, makeRuns } from './make-run.ts'

/** Matches `m` of the standing orders in a parameter that are not in a run yet. */
export const gatheredBy = (ids: '$1' | '$3') =>
  sql`m.standing_order_id = ANY (${ids}::uuid[]) AND m.run_id IS NULL AND m.state = 'found'`

/** @returns whether a run was made: there were matches, and the standing order is active. */
export async function gatherRun(tx: Tx, standingOrderId: string): Promise<boolean> {
  await holdStandings(tx, [standingOrderId])
  const runs = await makeRuns(tx, await countGathered(tx, [standingOrderId]), null)
  await giveGathered(tx, [standingOrderId], runs)
  return runs.size > 0
}

/** Only those with any matches. */
function countGathered(tx: Tx, ids: readonly string[]): Promise<FoundMatches[]> {
  return tx.query<FoundMatches>(
    sql`SELECT standing_order_id AS id, count(*)::integer AS matches FROM orders.standing_match m WHERE ${gatheredBy('$1')} GROUP BY 1`,
    [ids],
  )
}

/**
 * Matches of orders without a run are skipped.
 * @param ids of standing orders that the caller has locked.
 */
export async function giveGathered(tx: Tx, ids: readonly string[], runs: ReadonlyMap<string, number>): Promise<void> {
  await tx.execute(
    sql`UPDATE orders.standing_match m SET run_id = given.run_id, state = CASE WHEN given.run_id IS NULL THEN 'skipped' ELSE m.state END
     FROM unnest($1::uuid[], $2::bigint[]) AS given (id, run_id) WHERE m.standing_order_id = given.id AND ${gatheredBy('$1')}`,
    [ids, ids.map((id) => runs.get(id) ?? null)],
  )
}
