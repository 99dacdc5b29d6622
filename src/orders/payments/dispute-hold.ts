/** A dispute suspends the account, and lets it go; whoever is suspended for another reason stays so. */
import type { Tx } from '../../db/db.ts'
import { audit } from '../../trail/audit.ts'

interface Dispute {
  readonly provider: string
  readonly disputeId: string
  readonly accountId: string
}

const reasonOf = ({ disputeId }: Dispute) => `a payment is disputed: ${disputeId}`

/** The sessions end, as where an operator suspends an account. */
export async function holdForDispute(tx: Tx, dispute: Dispute): Promise<void> {
  const { provider, disputeId, accountId } = dispute
  const held = await tx.execute(
    `UPDATE access.account SET suspended_at = now(), suspended_reason = $2
     WHERE account_id = $1 AND suspended_at IS NULL AND erased_at IS NULL`,
    [accountId, reasonOf(dispute)],
  )
  if (held === 0) return
  await tx.execute('UPDATE orders.payment_dispute SET holds_account = true WHERE provider = $1 AND dispute_id = $2', [
    provider,
    disputeId,
  ])
  await tx.execute('UPDATE access.session SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL', [
    accountId,
  ])
  await audit(tx, { actor: 'system', action: 'suspend account', subject: accountId, detail: { disputeId } })
}

export async function releaseFromDispute(tx: Tx, dispute: Dispute): Promise<void> {
  const { provider, disputeId, accountId } = dispute
  const released = await tx.execute(
    `UPDATE access.account SET suspended_at = NULL, suspended_reason = NULL
     WHERE account_id = $1 AND suspended_reason = $4 AND EXISTS (
       SELECT FROM orders.payment_dispute WHERE provider = $2 AND dispute_id = $3 AND holds_account)`,
    [accountId, provider, disputeId, reasonOf(dispute)],
  )
  if (released === 0) return
  await audit(tx, { actor: 'system', action: 'unsuspend account', subject: accountId, detail: { disputeId } })
}
