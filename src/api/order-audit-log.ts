/** Orders in the audit log: placed in their own transaction; and the reason for which their records are read. */
import type { AuditEntry } from '../audit/audit.ts'

interface PlacedOrder {
  readonly orderId: string
  readonly paymentStatus: string
  readonly itemsCount: number
}

export function placed(accountId: string, order: PlacedOrder): AuditEntry {
  const { orderId, paymentStatus, itemsCount } = order
  return {
    actor: `account:${accountId}`,
    action: 'place order',
    subject: orderId,
    detail: { paymentStatus, items: itemsCount },
  }
}

/** An unpaid order is previewed before it is bought. */
export const reasonOf = ({ orderId, paymentStatus }: Omit<PlacedOrder, 'itemsCount'>): string =>
  paymentStatus === 'paid' ? `order ${orderId}` : `preview of order ${orderId}`
