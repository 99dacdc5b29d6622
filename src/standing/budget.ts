/**
 * What a standing order may still spend: today and this month in India, and in one run. Spending is the cost of its
 * orders; refunded credits do not free up budget. Runs in progress count with their reservations.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Budget, StandingOrder } from './standing-order.ts'

export interface Left {
  readonly credits: number
  /** The budget that leaves the least. */
  readonly by: keyof Budget
}

interface Used {
  readonly day: number
  readonly month: number
  readonly run: number
}

const today = 'runtime.indian_day(now())'

/** For the standing order $1; the run $2 counts without its own reservation. */
const usedText = sql`
  WITH cost AS (
    SELECT run.run_id, purchase.total_amount AS credits, runtime.indian_day(purchase.paid_at) AS day
    FROM orders.standing_run run JOIN orders.purchase ON purchase.standing_run_id = run.run_id
    WHERE run.standing_order_id = $1
    UNION ALL
    SELECT NULL, reserved, reserved_on FROM orders.standing_run WHERE standing_order_id = $1 AND run_id <> $2 AND reserved > 0
  )
  SELECT coalesce(sum(credits) FILTER (WHERE day = ${today}), 0)::integer AS day,
         coalesce(sum(credits) FILTER (WHERE date_trunc('month', day) = date_trunc('month', ${today})), 0)::integer AS month,
         coalesce(sum(credits) FILTER (WHERE run_id = $2), 0)::integer AS run
  FROM cost`

/** Exact if the caller has the standing order locked. */
export async function readLeft(
  tx: Queryable,
  { standingOrderId, budget }: StandingOrder,
  runId: number,
): Promise<Left> {
  const [used] = await tx.query<Used>(usedText, [standingOrderId, runId])
  if (!used || budget === null) return { credits: 0, by: 'run' }
  const left = (['run', 'day', 'month'] as const).map((by) => ({ by, credits: budget[by] - used[by] }))
  return left.reduce((least, each) => (each.credits < least.credits ? each : least))
}
