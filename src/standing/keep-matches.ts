/**
 * Stores the records found as matches, each once, whatever was found before; a match withdrawn with its import is new
 * if it is found again. A standing order that runs after each import gets its run first, so that each match is written
 * only once.
 */
import type { Tx } from '../db/db.ts'
import { literal, sql } from '../db/sql.ts'
import type { OrderMatcher } from './find-matches.ts'
import { gatheredBy, giveGathered } from './gather-run.ts'
import { type FoundMatches, holdStandings, makeRuns } from './make-run.ts'
import type { StandingOrder } from './standing-order.ts'

/** $1 the import, $2 the orders that report a match each time: watched records change repeatedly. */
const isNewAgain = sql`m.import_run_id < $1::bigint AND (m.state = 'undone' OR m.standing_order_id = ANY ($2::uuid[]))`
const isReportedAgain = ({ source, buys }: StandingOrder) => source === 'watchlist' && !buys

/** @returns how many records newly match, summed over the standing orders. */
export async function keepMatches(
  tx: Tx,
  orderMatchers: readonly OrderMatcher[],
  importRunId: number,
): Promise<number> {
  const orders = orderMatchers.map(({ order }) => order)
  const [first] = orders
  if (!first) return 0
  const type = literal(first.type)
  const idsOf = (some: readonly StandingOrder[]) => some.map(({ standingOrderId }) => standingOrderId)
  const reportedAgain = idsOf(orders.filter(isReportedAgain))
  const atOnce = await whoFound(tx, idsOf(orders.filter(({ schedule }) => schedule === 'import')))
  await holdStandings(tx, atOnce)
  const runs = await makeRuns(tx, await countNew(tx, type, { importRunId, reportedAgain, atOnce }), importRunId)
  await giveGathered(tx, atOnce, runs)
  return tx.execute(
    sql`INSERT INTO orders.standing_match AS m (standing_order_id, type, identifier, import_run_id, run_id, state)
     SELECT found.standing_order_id, ${type}, found.identifier, $1::bigint, run.run_id,
            CASE WHEN run.run_id IS NULL AND found.standing_order_id = ANY ($3::uuid[]) THEN 'skipped' ELSE 'found' END
     FROM standing_found found LEFT JOIN unnest($4::uuid[], $5::bigint[]) AS run (standing_order_id, run_id) USING (standing_order_id)
     ON CONFLICT (standing_order_id, type, identifier) DO UPDATE
       SET state = excluded.state, run_id = excluded.run_id, import_run_id = excluded.import_run_id, found_at = now()
       WHERE ${isNewAgain}`,
    [importRunId, reportedAgain, atOnce, [...runs.keys()], [...runs.values()]],
  )
}

async function whoFound(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'SELECT DISTINCT standing_order_id AS id FROM standing_found WHERE standing_order_id = ANY ($1::uuid[])',
    [ids],
  )
  return rows.map(({ id }) => id)
}

/**
 * Includes the matches still gathered by an order that followed a schedule until recently, each once. The orders are
 * locked, so no other import adds to them in the meantime.
 */
function countNew(
  tx: Tx,
  type: string,
  options: {
    readonly importRunId: number
    readonly reportedAgain: readonly string[]
    readonly atOnce: readonly string[]
  },
): Promise<FoundMatches[]> {
  return tx.query<FoundMatches>(
    sql`SELECT id, count(*)::integer AS matches FROM (
       SELECT found.standing_order_id AS id, found.identifier
       FROM standing_found found
       LEFT JOIN orders.standing_match m
         ON m.standing_order_id = found.standing_order_id AND m.type = ${type} AND m.identifier = found.identifier
       WHERE found.standing_order_id = ANY ($3::uuid[]) AND (m.standing_order_id IS NULL OR ${isNewAgain})
       UNION
       SELECT m.standing_order_id, m.identifier FROM orders.standing_match m WHERE ${gatheredBy('$3')}
     ) AS each GROUP BY id`,
    [options.importRunId, options.reportedAgain, options.atOnce],
  )
}
