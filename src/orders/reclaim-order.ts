/**
 * Late contacts: charges and delivers the items of a paid order that had no contact when it was paid and have one
 * now. One transaction spends the credits, marks the items and enqueues the lead build. A repeated call finds only
 * what still has no contact.
 */
import { orderTerms } from '../../config/plans.ts'
import type { Db, Tx } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { creditByCredit, spendOnOrder } from './ledger.ts'
import { announceLowCredits } from './low-credits.ts'
import { holdAndFindOwned } from './owned-items.ts'
import { orderNotFound, readOrder } from './read-orders.ts'
import type { PaymentState } from './states.ts'

export interface ReclaimedItem {
  readonly index: number
  readonly type: EntityType
  readonly number: string
  readonly name: string
}

export interface Reclaim {
  readonly order_id: string
  readonly credits: number
  readonly items: readonly ReclaimedItem[]
  /** How many of the items without a contact still have none. */
  readonly still_unreachable: number
}

interface UnreachedItem extends ReclaimedItem {
  readonly itemId: string
  readonly identifier: string
}

/** @throws AppError NOT_FOUND, CONFLICT for an order that is not paid or too old, INSUFFICIENT_CREDITS. */
export function reclaimOrder(
  db: Db,
  queue: JobSender,
  { accountId, orderId }: { readonly accountId: string; readonly orderId: string },
): Promise<Reclaim> {
  return db.transaction(async (tx) => {
    await readOrder(tx, accountId, orderId)
    const late = await holdUnreached(tx, accountId, orderId)
    const { reached, owned } = await holdAndFindOwned(tx, accountId, late)
    // An item that was bought again since is owned; it costs nothing here and is delivered with that order.
    const items = late.filter((_, index) => reached[index] === true && !owned.has(index))
    if (items.length > 0) {
      await charge(tx, accountId, orderId, items)
      await announceLowCredits(tx, accountId, items.length)
      await queue.send(tx, queues.buildLeads, { orderId })
    }
    return {
      order_id: orderId,
      credits: items.length,
      items: items.map(({ index, type, number, name }) => ({ index, type, number, name })),
      still_unreachable: reached.filter((isReached) => !isReached).length,
    }
  })
}

/** Locks the order, so that each of several calls sees what the previous one charged. */
async function holdUnreached(tx: Tx, accountId: string, orderId: string): Promise<UnreachedItem[]> {
  const [order] = await tx.query<{ status: PaymentState; late: boolean }>(
    `SELECT payment_status AS status, paid_at < now() - make_interval(days => $3) AS late
     FROM orders.purchase WHERE order_id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    [orderId, accountId, orderTerms.reclaimDays],
  )
  if (!order) throw orderNotFound()
  if (order.status === 'refunded') {
    throw new AppError('CONFLICT', 'The money for this order was refunded; order its records again.')
  }
  if (order.status !== 'paid') {
    throw new AppError('CONFLICT', `Only a paid order can be reclaimed; the payment of this one is ${order.status}.`)
  }
  if (order.late) {
    throw new AppError(
      'CONFLICT',
      `Late contacts can be reclaimed within ${orderTerms.reclaimDays} days; order them again.`,
    )
  }
  const items = await tx.query<UnreachedItem & { isMoneyBack: boolean }>(
    `SELECT item_id AS "itemId", position AS index, type, identifier, identifier AS number, name,
            withdrawn_at IS NOT NULL AS "isMoneyBack"
     FROM orders.item WHERE order_id = $1 AND refunded_at IS NOT NULL AND refund_reason = 'no_contact' ORDER BY position`,
    [orderId],
  )
  const late = items.filter(({ isMoneyBack }) => !isMoneyBack)
  if (late.length === 0 && items.length > 0) {
    throw new AppError('CONFLICT', 'The money for these items was refunded; order them again.')
  }
  return late
}

async function charge(tx: Tx, accountId: string, orderId: string, items: readonly UnreachedItem[]): Promise<void> {
  const [spends] = await tx.query<{ count: number }>(
    `SELECT count(*) FROM ledger.transfer WHERE order_id = $1 AND kind IN ('spend', 'hold')`,
    [orderId],
  )
  const charges = await spendOnOrder(tx, accountId, {
    orderId,
    credits: items.length,
    reference: `reclaim:${orderId}:${spends?.count ?? 0}`,
  })
  await tx.execute(
    `UPDATE orders.item SET charge_id = late.charge_id, reclaimed_at = now(), settled_id = NULL, refunded_at = NULL, refund_reason = NULL, has_contact = true
     FROM unnest($1::uuid[], $2::bigint[]) AS late (item_id, charge_id) WHERE item.item_id = late.item_id`,
    [items.map(({ itemId }) => itemId), creditByCredit(charges)],
  )
}
