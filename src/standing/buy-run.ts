/**
 * Buys what an open run found, within its budgets, as one order per step; then ends the run. Each step plans, reserves
 * and places an order, whose transaction locks the standing order and counts again: nothing is bought for a paused
 * order or beyond a budget. A process that dies leaves either the order with its matches marked as bought, or neither;
 * the next attempt continues from there.
 */
import { audit } from '../audit/audit.ts'
import type { Db, Tx } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { AppError } from '../errors.ts'
import type { Order } from '../orders/order.ts'
import { placeOrderAnd } from '../orders/place-order.ts'
import type { JobSender } from '../queue/queue.ts'
import { type BlockReason, block, isSuspended } from './block.ts'
import { readLeft } from './budget.ts'
import { endRun } from './end-run.ts'
import { type OpenRun, type Plan, planPurchase } from './plan-purchase.ts'
import { holdStanding } from './standing-order.ts'

export interface BuyParts {
  /** As the role that sells. */
  readonly db: Db
  readonly queue: JobSender
  /** Called at each step's boundary; tests stop or kill the process there. */
  readonly reached?: ((point: string) => Promise<void>) | undefined
}

/** @returns the credits spent by this call. */
export async function buyRun(parts: BuyParts, run: OpenRun, signal: AbortSignal): Promise<number> {
  let spent = 0
  for (;;) {
    signal.throwIfAborted()
    const planned = await planPurchase(parts.db, run)
    await parts.reached?.('planned')
    if (planned.kind === 'waits') return spent
    if (planned.kind === 'buy') {
      const order = await buy(parts, run, planned.plan)
      if (order === 'overtaken') continue
      await parts.reached?.('bought')
      if (order === undefined) return spent
      spent += order.totalAmount
      if (!planned.plan.isRest) continue
    }
    await endRun(parts.db, run, planned.kind === 'over' ? planned.short : null)
    await parts.reached?.('ended')
    return spent
  }
}

/** Errors of an order that mean nothing can be bought for now; the run stays open. */
const blocking: Readonly<Partial<Record<string, BlockReason>>> = {
  INSUFFICIENT_CREDITS: 'credits_short',
  RATE_LIMITED: 'limit_reached',
}

/**
 * @returns undefined if it was not placed; `overtaken` if the account bought some of the items in the meantime, so a
 *   new plan is needed.
 */
async function buy(
  { db, queue, reached }: BuyParts,
  run: OpenRun,
  plan: Plan,
): Promise<Order | 'overtaken' | undefined> {
  const { order, items, day } = plan
  const orderName = `${order.name} ${day}`.slice(0, 200)
  const request = { accountId: order.accountId, orderName, paymentOption: 'credits', items }
  try {
    return await placeOrderAnd(db, queue, { onlineLabel: 'online' }, request, async (tx, placed) => {
      await confirm(tx, run, plan, placed)
      await reached?.('written')
      return placed
    })
  } catch (error) {
    if (error instanceof StoppedError) return error instanceof OvertakenError ? 'overtaken' : undefined
    const reason = error instanceof AppError ? blocking[error.code] : undefined
    if (reason === undefined) throw error
    await db.transaction(async (tx) => {
      await release(tx, run)
      await block(tx, order, reason)
    })
    return undefined
  }
}

/** What was planned no longer holds, so the order is rolled back. */
class StoppedError extends Error {}
class OvertakenError extends StoppedError {}

/**
 * Links the order to the run, in the order's own transaction.
 * @throws StoppedError
 */
async function confirm(
  tx: Tx,
  { runId, standingOrderId }: OpenRun,
  { items, day }: Plan,
  placed: Order,
): Promise<void> {
  const order = await holdStanding(tx, null, standingOrderId)
  // An item that the account owns costs nothing, but all of these were to be bought.
  if (placed.totalAmount < items.length) throw new OvertakenError('the account bought some of it in the meantime')
  if (await isSuspended(tx, order)) throw new StoppedError('the account was suspended in the meantime')
  if (order.state !== 'active' || day !== (await readToday(tx))) throw new StoppedError('paused, ended, or another day')
  await tx.execute('UPDATE orders.purchase SET standing_run_id = $2 WHERE order_id = $1', [placed.orderId, runId])
  const bought = await tx.execute(
    `UPDATE orders.standing_match SET state = 'bought' WHERE run_id = $1 AND state = 'found' AND identifier = ANY ($2::text[])`,
    [runId, items.map(({ number }) => number)],
  )
  const released = await tx.execute(
    `UPDATE orders.standing_run SET reserved = 0, budget = $3 WHERE run_id = $1 AND state = 'open' AND reserved >= $2`,
    [runId, placed.totalAmount, JSON.stringify(order.budget)],
  )
  if (bought !== items.length || released !== 1) throw new StoppedError('another process was faster')
  const left = await readLeft(tx, order, runId)
  if (left.credits < 0) throw new StoppedError(`the budget of a ${left.by} is used`)
  await audit(tx, {
    actor: 'system',
    action: 'place order',
    subject: placed.orderId,
    detail: { standingOrder: standingOrderId, run: runId, items: placed.itemsCount, credits: placed.totalAmount },
    accountId: order.accountId,
  })
}

async function release(tx: Tx, { runId }: OpenRun): Promise<void> {
  await tx.execute(`UPDATE orders.standing_run SET reserved = 0 WHERE run_id = $1 AND state = 'open'`, [runId])
}
