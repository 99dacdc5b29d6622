/** Why a standing order cannot buy for now. Notified once, and cleared as soon as the reason no longer applies. */
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
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
type Querying = Named & Pick<StandingOrder, 'reason'>

/** Called in the transaction that finds the reason. Does nothing if the order is already blocked for it. */
export async function block(tx: Queryable, order: Named, reason: BlockReason): Promise<void> {
  const changed = await tx.execute(
    `UPDATE orders.standing_order SET state = 'blocked', reason = $2, state_by = 'system', state_at = now()
     WHERE standing_order_id = $1 AND (state = 'active' OR state = 'blocked' AND reason IS DISTINCT FROM $2)`,
    [order.standingOrderId, reason],
  )
  if (changed === 0) return
  const data = { standing_order_id: order.standingOrderId, name: order.name, reason }
  // A used-up budget is not a failure; the digest reports it.
  if (reason === 'budget_used') await emit(tx, order.accountId, 'standing_order.blocked', data)
  else await announce(tx, order.accountId, 'standing_order.blocked', data, { about: order.standingOrderId, data })
}

/**
 * @returns undefined for a query that is no longer valid, which blocks its own standing order only, until it can be read
 *   again.
 */
export async function unlessInvalid<T>(tx: Queryable, order: Querying, read: () => Promise<T>): Promise<T | undefined> {
  try {
    const result = await read()
    if (order.reason === 'query_invalid') await unblock(tx, order)
    return result
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await block(tx, order, 'query_invalid')
    return undefined
  }
}

/** Assignments that make a blocked standing order active again. */
export const goesOn = sql`state = 'active', reason = NULL, state_by = 'system', state_at = now()`

/** What its standing orders found waits until the suspension is lifted. */
export async function isSuspended(tx: Queryable, { accountId }: Pick<StandingOrder, 'accountId'>): Promise<boolean> {
  const rows = await tx.query('SELECT FROM access.account WHERE account_id = $1 AND suspended_at IS NOT NULL', [
    accountId,
  ])
  return rows.length > 0
}

/** The reason no longer applies. */
export async function unblock(tx: Queryable, { standingOrderId }: Named): Promise<void> {
  await tx.execute(
    sql`UPDATE orders.standing_order SET ${goesOn}
     WHERE standing_order_id = $1 AND state = 'blocked'`,
    [standingOrderId],
  )
}

/** For a standing order `s`: all of its CRMs are available, now or once they are resumed. */
const destinationsWork = sql`(SELECT count(*) FROM deliver.destination d WHERE d.account_id = s.account_id
  AND d.destination_id = ANY (s.destinations) AND d.status IN ('active', 'paused')) = cardinality(s.destinations)`

export async function doDestinationsWork(tx: Queryable, standingOrderId: string): Promise<boolean> {
  const [row] = await tx.query<{ work: boolean }>(
    sql`SELECT ${destinationsWork} AS work FROM orders.standing_order s WHERE s.standing_order_id = $1`,
    [standingOrderId],
  )
  return row?.work === true
}

/** Open runs `run` of standing orders `s` that waited for a CRM that works again. */
const recoveredRuns = sql`FROM orders.standing_run run JOIN orders.standing_order s USING (standing_order_id)
  WHERE run.state = 'open' AND s.state = 'blocked' AND s.reason = 'destination_broken' AND ${destinationsWork}`

export async function anyRecovered(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ any: boolean }>(sql`SELECT EXISTS (SELECT ${recoveredRuns}) AS any`)
  return row?.any === true
}

/**
 * @returns the standing orders that became active because their CRMs work again. Orders locked by a purchase are
 *   skipped.
 */
export async function unblockRecovered(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`UPDATE orders.standing_order SET ${goesOn}
     WHERE standing_order_id IN (SELECT s.standing_order_id ${recoveredRuns} FOR UPDATE OF s SKIP LOCKED)
     RETURNING standing_order_id AS id`,
  )
  return rows.map(({ id }) => id)
}
