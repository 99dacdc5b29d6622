/**
 * Ends a run from which nothing more can be bought: records what the budget left out, and notifies the account of the
 * result.
 */
import type { Db, Tx } from '../db/db.ts'
import { emit } from '../notify/webhooks/emit.ts'
import { block } from './block.ts'
import type { OpenRun } from './plan-purchase.ts'
import type { Budget } from './standing-order.ts'
import { holdStanding } from './standing-order.ts'

/** @param short the budget that left matches out, if any. */
export function endRun(db: Db, { runId, standingOrderId }: OpenRun, short: keyof Budget | null): Promise<void> {
  return db.transaction(async (tx) => {
    const order = await holdStanding(tx, null, standingOrderId)
    await tx.execute(`UPDATE orders.standing_match SET state = $2 WHERE run_id = $1 AND state = 'found'`, [
      runId,
      order.buys ? 'over_budget' : 'notified',
    ])
    const ended = await tx.execute(
      `UPDATE orders.standing_run SET state = 'finished', reserved = 0, finished_at = now(), reason = $2
       WHERE run_id = $1 AND state = 'open'`,
      [runId, short === null ? null : `budget_${short}`],
    )
    if (ended === 0) return
    if (short === 'day' || short === 'month') await block(tx, order, 'budget_used')
    await emit(tx, order.accountId, 'standing_order.run_finished', {
      ...{ standing_order_id: standingOrderId, name: order.name, run_id: runId },
      ...(await readCounts(tx, runId)),
    })
  })
}

async function readCounts(tx: Tx, runId: number) {
  const [counts] = await tx.query<{ matches: number; bought: number; credits: number; over_budget: number }>(
    `SELECT run.matches, (SELECT count(*) FROM orders.standing_match m WHERE m.run_id = run.run_id AND state = 'bought')::integer AS bought,
       (SELECT coalesce(sum(total_amount), 0) FROM orders.purchase WHERE standing_run_id = run.run_id)::integer AS credits,
       (SELECT count(*) FROM orders.standing_match m WHERE m.run_id = run.run_id AND state = 'over_budget')::integer AS over_budget
     FROM orders.standing_run run WHERE run_id = $1`,
    [runId],
  )
  if (!counts) throw new Error('the run is held')
  return counts
}
