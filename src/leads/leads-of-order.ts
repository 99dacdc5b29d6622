/** Which leads an order shows: what was bought is shown once it is paid for. */
import type { Db } from '../db/db.ts'
import type { BuildRequest } from './build-leads.ts'
import { type OrderLead, readPaidLeads } from './read-leads.ts'
import { readUnpaidLeads } from './unpaid-leads.ts'

export interface OrderShown {
  readonly orderId: string
  readonly paymentStatus: string
  readonly status: string
}

/** Orders that are paid and completed bring their frozen leads; all others what `unpaid-leads.ts` says, and no more. */
export async function leadsOf(
  db: Db,
  order: OrderShown,
  building: Omit<BuildRequest, 'orderId'>,
): Promise<OrderLead[]> {
  const request = { ...building, orderId: order.orderId }
  const isPaid = order.paymentStatus === 'paid' && order.status === 'completed'
  return isPaid ? readPaidLeads(db, request) : readUnpaidLeads(db, request)
}
