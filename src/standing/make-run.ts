/**
 * The matches of an import, or those that a schedule gathered, become a run. It waits for somebody to look at it where it is the
 * first that finds anything, or finds far more than a usual day does. One that only notifies waits for nobody: nothing is spent.
 */
import { standingTerms } from '../../config/plans.ts'
import type { Tx } from '../db/db.ts'
import { announce } from '../notify/announce.ts'
import type { StandingOrder } from './standing-order.ts'

interface Usual {
  readonly approvedAt: Date | null
  readonly usual: number | null
}

/** Within the transaction that found the matches, which lie without a run until now. @param importRunId null: of several. */
export async function makeRun(tx: Tx, order: StandingOrder, importRunId: number | null): Promise<number> {
  const id = order.standingOrderId
  const [found] = await tx.query<{ matches: number }>(
    `SELECT count(*)::integer AS matches FROM orders.standing_match WHERE standing_order_id = $1 AND run_id IS NULL`,
    [id],
  )
  const matches = found?.matches ?? 0
  if (matches === 0) return 0
  const usual = await readUsual(tx, id)
  const reason = order.buys ? whyItWaits(matches, usual) : null
  const [run] = await tx.query<{ runId: number }>(
    `INSERT INTO orders.standing_run (standing_order_id, version, import_run_id, state, reason, matches, usual, budget)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING run_id AS "runId"`,
    [
      ...[id, order.version, importRunId, reason === null ? 'open' : 'needs_approval', reason, matches, usual.usual],
      order.budget && JSON.stringify(order.budget),
    ],
  )
  if (!run) throw new Error('the insert of a run returned no row')
  await tx.execute('UPDATE orders.standing_match SET run_id = $2 WHERE standing_order_id = $1 AND run_id IS NULL', [
    id,
    run.runId,
  ])
  if (reason !== null) {
    const data = {
      standing_order_id: id,
      name: order.name,
      run_id: run.runId,
      matches,
      usual: usual.usual,
      reason,
    } as const
    await announce(tx, order.accountId, 'standing_order.needs_approval', data, { about: `${id}:${run.runId}`, data })
  }
  return run.runId
}

/** Matches a day, over the days that found any. */
async function readUsual(tx: Tx, id: string): Promise<Usual> {
  const [row] = await tx.query<Usual>(
    `SELECT approved_at AS "approvedAt",
            (SELECT round(sum(matches)::numeric / count(DISTINCT runtime.indian_day(created_at)), 1)
             FROM orders.standing_run run WHERE run.standing_order_id = s.standing_order_id AND state IN ('finished', 'open')
               AND created_at > now() - make_interval(days => $2)) AS usual
     FROM orders.standing_order s WHERE standing_order_id = $1`,
    [id, standingTerms.usualDays],
  )
  return row ?? { approvedAt: null, usual: null }
}

function whyItWaits(matches: number, { approvedAt, usual }: Usual): 'first_run' | 'unusual' | null {
  if (approvedAt === null) return 'first_run'
  return usual !== null && matches > standingTerms.unusualTimes * usual ? 'unusual' : null
}
