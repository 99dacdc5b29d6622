/** An order as stored, and the columns that every statement selects to read one. */
import { orderTerms } from '../../config/plans.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import type { RefundReason } from './ledger.ts'
import type { PaymentOrder } from './payments/processor.ts'
import type { DisputeStatus, OrderState, PaymentState } from './states.ts'

export interface Order {
  readonly orderId: string
  readonly orderName: string
  readonly paymentOption: 'credits' | 'online'
  readonly status: OrderState
  readonly paymentStatus: PaymentState
  /** Credits, before refunds. */
  readonly totalAmount: number
  /** Credits refunded so far, for whatever reason. */
  readonly refundedAmount: number
  readonly itemsCount: number
  /** The processor's order of an online payment. */
  readonly payment: PaymentOrder | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly cancelledAt: Date | null
}

export interface OrderedItem {
  readonly type: EntityType
  readonly identifier: string
  readonly name: string
  /** Determined when the order is placed, and again when it is paid; null once its account is erased. */
  readonly hasContact: boolean | null
  readonly refundedAt: Date | null
  /** Why the credit was refunded; items with `no_contact` can be reclaimed. */
  readonly refundReason: RefundReason | null
  /** Bought within the last `orderTerms.ownedDays` days, so not charged again. */
  readonly alreadyOwned: boolean
  /** Its charge or the order's money was refunded: it is no longer shown or delivered. */
  readonly withdrawn: boolean
  /** The buyer's report on its latest charge. */
  readonly dispute: DisputeStatus | null
  /** Charged recently enough, and not yet reported. */
  readonly mayBeReported: boolean
}

/** Whether an `item` of a `purchase` was charged too long ago to be reported. */
export const isReportedLate = sql`coalesce(item.reclaimed_at, purchase.paid_at) < now() - make_interval(days => ${orderTerms.disputes.days})`

/** Prices in credits are sorted together, and those in rupees. */
export const orderSorts = listSorts('created_at-', {
  by: {
    ...{ name: 'lower(purchase.order_name)', status: 'purchase.status', created_at: 'purchase.created_at' },
    items_count: 'purchase.items_count',
    total_amount: ['purchase.payment_option', 'purchase.total_amount'],
  },
  tie: 'purchase.order_id',
})
export type OrderSort = SortOf<'name' | 'status' | 'created_at' | 'items_count' | 'total_amount'>

export const orderColumns = `
  purchase.order_id AS "orderId", purchase.order_name AS "orderName", purchase.payment_option AS "paymentOption",
  purchase.status, purchase.payment_status AS "paymentStatus", purchase.total_amount AS "totalAmount",
  (SELECT count(*) FROM orders.item WHERE item.order_id = purchase.order_id AND item.refunded_at IS NOT NULL)
    AS "refundedAmount",
  purchase.items_count AS "itemsCount", purchase.created_at AS "createdAt", purchase.paid_at AS "paidAt",
  purchase.cancelled_at AS "cancelledAt", purchase.payment`
