/**
 * A payment dispute suspends its account. When it ends, the account is released unless another dispute or another
 * reason suspends it.
 */

import { audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { disputedPayment } from '../../domain/disputed-payment.ts'

interface Dispute {
  readonly provider: string
  readonly disputeId: string
  readonly accountId: string
}

/** True of a dispute that suspends the account $1, which made its payment. */
const isHoldingAccount = `holds_account AND EXISTS (
  SELECT FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
  WHERE (payment.provider, payment.payment_id) = (payment_dispute.provider, payment_dispute.payment_id)
    AND coalesce(purchase.account_id, checkout.account_id) = $1)`

/**
 * Ends the account's sessions, as a suspension by an operator does. Each of several disputes holds the account until
 * it is won or closed.
 */
export async function holdForDispute(tx: Tx, { provider, disputeId, accountId }: Dispute): Promise<void> {
  const held = await tx.execute(
    `UPDATE access.account SET suspended_at = now(), suspended_reason = $2
     WHERE account_id = $1 AND suspended_at IS NULL AND erased_at IS NULL`,
    [accountId, `${disputedPayment}${disputeId}`],
  )
  // The account was not suspended, so an operator has lifted the suspension by earlier disputes.
  if (held > 0) {
    await tx.execute(sql`UPDATE orders.payment_dispute SET holds_account = false WHERE ${isHoldingAccount}`, [
      accountId,
    ])
  }
  await tx.execute(
    `UPDATE orders.payment_dispute SET holds_account = true
     WHERE provider = $1 AND dispute_id = $2 AND EXISTS (
       SELECT FROM access.account WHERE account_id = $3 AND starts_with(suspended_reason, $4))`,
    [provider, disputeId, accountId, disputedPayment],
  )
  if (held === 0) return
  await tx.execute('UPDATE access.session SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL', [
    accountId,
  ])
  await audit(tx, { actor: 'system', action: 'suspend account', subject: accountId, detail: { disputeId } })
}

export async function releaseFromDispute(tx: Tx, { provider, disputeId, accountId }: Dispute): Promise<void> {
  const holding = await tx.execute(
    'UPDATE orders.payment_dispute SET holds_account = false WHERE provider = $1 AND dispute_id = $2 AND holds_account',
    [provider, disputeId],
  )
  if (holding === 0) return
  const released = await tx.execute(
    sql`UPDATE access.account SET suspended_at = NULL, suspended_reason = NULL
     WHERE account_id = $1 AND starts_with(suspended_reason, $2)
       AND NOT EXISTS (SELECT FROM orders.payment_dispute WHERE ${isHoldingAccount})`,
    [accountId, disputedPayment],
  )
  if (released === 0) return
  await audit(tx, { actor: 'system', action: 'unsuspend account', subject: accountId, detail: { disputeId } })
}
