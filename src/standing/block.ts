/** Why a standing order buys nothing for now: told once, and over as soon as the reason is. */
import type { Queryable } from '../db/db.ts'
import { announce } from '../notify/announce.ts'
import { emit } from '../notify/webhooks/emit.ts'
import type { StandingOrder } from './standing-order.ts'

export const blockReasons = [
  'budget_used',
  'credits_short',
  'destination_broken',
  'query_invalid',
  'limit_reached',
] as const
export type BlockReason = (typeof blockReasons)[number]

type Named = Pick<StandingOrder, 'standingOrderId' | 'accountId' | 'name'>

/** Called within the transaction that finds the reason. Blocked for the same reason already, it changes nothing. */
export async function block(tx: Queryable, order: Named, reason: BlockReason): Promise<void> {
  const changed = await tx.execute(
    `UPDATE orders.standing_order SET state = 'blocked', reason = $2, state_by = 'system', state_at = now()
     WHERE standing_order_id = $1 AND (state = 'active' OR state = 'blocked' AND reason IS DISTINCT FROM $2)`,
    [order.standingOrderId, reason],
  )
  if (changed === 0) return
  const data = { standing_order_id: order.standingOrderId, name: order.name, reason }
  // A budget that is used is no failure; the digest tells of it.
  if (reason === 'budget_used') await emit(tx, order.accountId, 'standing_order.blocked', data)
  else await announce(tx, order.accountId, 'standing_order.blocked', data, { about: order.standingOrderId, data })
}

/** Nothing stands in the way any more. */
export async function unblock(tx: Queryable, { standingOrderId }: Named): Promise<void> {
  await tx.execute(
    `UPDATE orders.standing_order SET state = 'active', reason = NULL, state_by = 'system', state_at = now()
     WHERE standing_order_id = $1 AND state = 'blocked'`,
    [standingOrderId],
  )
}
