/** What imports brought since the last run of a schedule becomes one run; of a standing order that is switched off, none. */
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type FoundMatches, holdStandings, makeRuns } from './make-run.ts'

/** Matches `m` of the standing orders of a parameter that are in no run yet. */
export const gatheredBy = (ids: '$1' | '$3') =>
  sql`m.standing_order_id = ANY (${ids}::uuid[]) AND m.run_id IS NULL AND m.state = 'found'`

/** @returns whether a run was made: there was something to make it of, and the standing order is on. */
export async function gatherRun(tx: Tx, standingOrderId: string): Promise<boolean> {
  await holdStandings(tx, [standingOrderId])
  const runs = await makeRuns(tx, await countGathered(tx, [standingOrderId]), null)
  await giveGathered(tx, [standingOrderId], runs)
  return runs.size > 0
}

/** Of those that gathered any. */
function countGathered(tx: Tx, ids: readonly string[]): Promise<FoundMatches[]> {
  return tx.query<FoundMatches>(
    sql`SELECT standing_order_id AS id, count(*)::integer AS matches FROM orders.standing_match m WHERE ${gatheredBy('$1')} GROUP BY 1`,
    [ids],
  )
}

/** Without a run they are skipped. @param ids of standing orders that are held. */
export async function giveGathered(tx: Tx, ids: readonly string[], runs: ReadonlyMap<string, number>): Promise<void> {
  await tx.execute(
    sql`UPDATE orders.standing_match m SET run_id = given.run_id, state = CASE WHEN given.run_id IS NULL THEN 'skipped' ELSE m.state END
     FROM unnest($1::uuid[], $2::bigint[]) AS given (id, run_id) WHERE m.standing_order_id = given.id AND ${gatheredBy('$1')}`,
    [ids, ids.map((id) => runs.get(id) ?? null)],
  )
}
