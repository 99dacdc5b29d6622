/** Finds payments by any of their ids, with the amount that can still be refunded. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface PaymentLeft {
  readonly provider: string
  readonly id: string
  readonly accountId: string
  readonly email: string
  /** Paise paid. */
  readonly amount: number
  /** Paise neither refunded nor being refunded. */
  readonly left: number
}

/** @param of id of a payment, or of an order or purchase that it was made for. @param provider default: any. */
export async function listPaymentsFor(db: Queryable, of: string, provider?: string): Promise<PaymentLeft[]> {
  return db.query<PaymentLeft>(
    sql`SELECT p.provider, payment_id AS id, account.account_id AS "accountId", account.email, p.amount,
      p.amount - (SELECT coalesce(sum(r.amount), 0) FROM orders.repayment r
                  WHERE r.provider = p.provider AND r.payment_id = p.payment_id)
               - (SELECT coalesce(sum(r.amount), 0) FROM orders.refund r
                  WHERE r.provider = p.provider AND r.payment_id = p.payment_id AND r.status = 'asked') AS left
     FROM orders.payment p LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
     JOIN access.account ON account.account_id = coalesce(purchase.account_id, checkout.account_id)
     WHERE ($1::text IS NULL OR p.provider = $1) AND $2 IN (payment_id, order_id::text, checkout_id::text)`,
    [provider ?? null, of],
  )
}
