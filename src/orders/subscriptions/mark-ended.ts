/**
 * Marks a subscription that is over, with an entry in the audit log. If its end was not announced before, because no
 * worker ran or the account was suspended, the account is notified now.
 */
import { audit } from '../../audit/audit.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { announceEnding, type Ending } from './notify-of-ending.ts'
import { nameOfRunningTerm } from './running-term.ts'

export interface Over {
  readonly subscriptionId: string
}

export const overSubscriptions = (db: Db, limit: number): Promise<Over[]> =>
  db.query<Over>(
    `SELECT subscription_id AS "subscriptionId" FROM access.subscription
     WHERE ended_at IS NULL AND until_at <= now() ORDER BY until_at, subscription_id LIMIT $1`,
    [limit],
  )

/** @returns false if it was marked or renewed in between. */
export async function markEnded(db: Db, { subscriptionId }: Over): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [ended] = await tx.query<Ending & { product: string; isUnreported: boolean; wasAsked: boolean }>(
      sql`UPDATE access.subscription SET ended_at = now()
       WHERE subscription_id = $1 AND ended_at IS NULL AND until_at <= now()
       RETURNING account_id AS "accountId", product, ${nameOfRunningTerm('subscription')} AS name, ends_at AS "endsAt", until_at AS "untilAt", auto_renew AS "wasAsked",
         ending_told_at IS NULL AND cancelled_at IS NULL
           AND EXISTS (SELECT FROM access.account a WHERE a.account_id = subscription.account_id AND a.erased_at IS NULL) AS "isUnreported"`,
      [subscriptionId],
    )
    if (!ended) return false
    const { accountId, product, isUnreported, wasAsked } = ended
    const entry = { actor: 'system', action: 'subscription ended', subject: subscriptionId } as const
    await audit(tx, { ...entry, accountId, detail: { product } })
    const reason = wasAsked ? 'missed' : 'not_asked'
    if (isUnreported) await announceEnding(tx, { ...ended, subscriptionId, reason, isOver: true })
    return true
  })
}
