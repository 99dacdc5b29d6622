/** An operator refunds the credits of an order's items, all or some; each charge once. */

import { type Actor, audit } from '../audit/audit.ts'
import type { Tx } from '../db/db.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { refundItems } from './ledger.ts'

export interface OrderRefund {
  readonly order_id: string
  /** Items whose credit this call refunded. */
  readonly refunded: number
  readonly credits: number
  /** Withdrawn items whose credit went with money that was partly refunded before. */
  readonly money_back: number
  /** Their indexes, from 0. */
  readonly items: readonly number[]
}

/**
 * @throws AppError NOT_FOUND for an unknown order or index, CONFLICT if nothing was paid, or the money was refunded.
 */
export async function refundOrder(
  tx: Tx,
  request: {
    readonly orderId: string
    readonly items?: readonly number[] | undefined
    readonly reason: string
    readonly actor: Actor
  },
): Promise<OrderRefund> {
  const { orderId, items, reason, actor } = request
  const [order] = isUuid(orderId)
    ? await tx.query<{ accountId: string; status: string }>(
        `SELECT account_id AS "accountId", payment_status AS status FROM orders.purchase WHERE order_id = $1 FOR NO KEY UPDATE`,
        [orderId],
      )
    : []
  if (!order) throw new AppError('NOT_FOUND', 'There is no such order.')
  if (order.status === 'refunded') {
    throw new AppError('CONFLICT', 'The money for this order was refunded, so its credits are not refunded again.')
  }
  if (order.status !== 'paid') throw new AppError('CONFLICT', `Nothing was paid for this order; it is ${order.status}.`)
  const all = await tx.query<{ itemId: string; index: number; isMoneyBack: boolean }>(
    `SELECT item_id AS "itemId", position AS index, charge_id IS NOT NULL AND
       (refund_reason = 'money_back' OR withdrawn_at IS NOT NULL AND refunded_at IS NULL) IS TRUE AS "isMoneyBack"
     FROM orders.item WHERE order_id = $1 ORDER BY position`,
    [orderId],
  )
  const missing = items?.find((index) => !all.some((item) => item.index === index))
  if (missing !== undefined) throw new AppError('NOT_FOUND', `The order has no item ${missing}.`)
  const chosen = items === undefined ? all : all.filter(({ index }) => items.includes(index))
  const back = await refundItems(
    tx,
    order.accountId,
    chosen.map(({ itemId }) => itemId),
    'operator',
    { actor, memo: reason },
  )
  const [gone, open] = [chosen.filter(({ isMoneyBack }) => isMoneyBack), chosen.filter((item) => !item.isMoneyBack)]
  const [marked] = await tx.query<{ count: number }>(
    `SELECT count(*) FROM orders.item WHERE item_id = ANY ($1) AND refund_reason = 'money_back'`,
    [open.map(({ itemId }) => itemId)],
  )
  const moneyBack = marked?.count ?? 0
  if (back.length + moneyBack === 0 && gone.length > 0) {
    throw new AppError(
      'CONFLICT',
      `The money for ${gone.length} of these items was refunded, so their credits are not refunded again.`,
    )
  }
  const indexes = all.filter(({ itemId }) => back.includes(itemId)).map(({ index }) => index)
  if (back.length + moneyBack > 0) {
    const detail = { credits: back.length, moneyBack, items: indexes.slice(0, 100) }
    await audit(tx, { actor, action: 'refund order', subject: orderId, detail, accountId: order.accountId })
  }
  return { order_id: orderId, refunded: back.length, credits: back.length, money_back: moneyBack, items: indexes }
}
