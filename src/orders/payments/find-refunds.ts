/** The refunds that operators requested: in progress at the processor, made, or refused by it. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type IssuedRefund, refundColumns } from './issue-refund.ts'

export const refundStates = ['asked', 'made', 'refused'] as const satisfies readonly IssuedRefund['status'][]

export interface FoundRefund extends IssuedRefund {
  readonly reference: string
  readonly reason: string
  readonly actor: string
  readonly asked_at: Date
  /** When it was made or refused; null while it is in progress. */
  readonly answered_at: Date | null
}

export interface RefundFilter {
  readonly status?: IssuedRefund['status'] | undefined
  /** Id of the refund, its payment, order or purchase, or its reference. */
  readonly search?: string | undefined
  readonly page: number
  readonly limit: number
}

const found = sql`FROM orders.refund
  WHERE ($1::text IS NULL OR status = $1)
    AND ($2::text IS NULL OR $2 IN (request_id::text, payment_id, refund_id, reference) OR EXISTS (
      SELECT FROM orders.payment WHERE (payment.provider, payment.payment_id) = (refund.provider, refund.payment_id)
        AND $2 IN (order_id::text, checkout_id::text)))`

/** Newest first; `total` counts all pages. */
export async function findRefunds(
  db: Queryable,
  { status, search, page, limit }: RefundFilter,
): Promise<{ refunds: FoundRefund[]; total: number }> {
  const values = [status ?? null, search ?? null]
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${found}`, values)
  const refunds = await db.query<FoundRefund>(
    sql`SELECT ${refundColumns}, reference, reason, actor, asked_at, answered_at ${found}
        ORDER BY asked_at DESC, request_id LIMIT $3 OFFSET $4`,
    [...values, limit, (page - 1) * limit],
  )
  return { refunds, total: counted?.total ?? 0 }
}
