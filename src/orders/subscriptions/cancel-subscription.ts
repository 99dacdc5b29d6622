/** Cancels a subscription: it runs to the end of what was paid, without grace period and without renewal. */

import { type Actor, audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { readSubscription, type Subscription } from './read-subscriptions.ts'
import { holdAccount, keepInStep } from './terms.ts'

/** Idempotent. @throws AppError NOT_FOUND, CONFLICT for one that is over. */
export async function cancelSubscription(
  tx: Tx,
  accountId: string,
  subscriptionId: string,
  actor: Actor,
): Promise<Subscription> {
  await holdAccount(tx, accountId)
  const { status, cancelledAt } = await readSubscription(tx, accountId, subscriptionId)
  if (status === 'ended') throw new AppError('CONFLICT', 'This subscription is over.')
  if (cancelledAt === null) {
    await tx.execute(
      'UPDATE access.subscription SET cancelled_at = now(), auto_renew = false WHERE subscription_id = $1',
      [subscriptionId],
    )
    await keepInStep(tx, subscriptionId)
    await audit(tx, { actor, action: 'cancel subscription', subject: subscriptionId, accountId })
  }
  return readSubscription(tx, accountId, subscriptionId)
}
