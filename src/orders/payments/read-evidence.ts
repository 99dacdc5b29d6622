/**
 * Evidence for the bank that decides a dispute: everything known about a payment, as one document (evidence.sql).
 * Reading it is audited, since it reveals who signed in from where.
 */

import { type Actor, audit } from '../../audit/audit.ts'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'

/** The members of the document that other modules read. */
export interface Evidence extends Readonly<Record<string, unknown>> {
  readonly deliveries: readonly { readonly delivery_id: string; readonly state: string }[]
}

const evidenceSql = sqlFile(import.meta.url, 'evidence.sql')

/**
 * @param of payment or dispute of the processor, or an order or purchase. @throws AppError NOT_FOUND, CONFLICT if
 * there are several payments.
 */
export async function readEvidence(db: Db, of: string, actor: Actor): Promise<Evidence> {
  return db.transaction(async (tx) => {
    const found = await tx.query<{ provider: string; paymentId: string }>(
      `SELECT DISTINCT payment.provider, payment.payment_id AS "paymentId"
       FROM orders.payment LEFT JOIN orders.payment_dispute AS dispute USING (provider, payment_id)
       WHERE $1 IN (payment.payment_id, dispute.dispute_id, order_id::text, checkout_id::text)`,
      [of],
    )
    const [payment, another] = found
    if (!payment) throw new AppError('NOT_FOUND', `There is no payment of ${of}.`)
    if (another) throw new AppError('CONFLICT', `There are ${found.length} payments of ${of}; name one of them.`)
    const [row] = await tx.query<{ evidence: Evidence }>(evidenceSql, [payment.provider, payment.paymentId])
    if (!row) throw new Error('a payment that was just found is gone')
    await audit(tx, { actor, action: 'export evidence', subject: payment.paymentId })
    return row.evidence
  })
}
