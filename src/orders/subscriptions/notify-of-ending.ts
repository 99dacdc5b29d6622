/**
 * Notifies the owner of a plan or offer shortly before it ends, once per last term, with the reason why it is not
 * renewed. No notice after a cancellation.
 */
import { renewHoursBefore } from '../../../config/sales.ts'
import type { Db, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { indianDayOf } from '../../domain/iso-date.ts'
import { announce } from '../../notify/announce.ts'
import { nameOfRunningTerm } from './running-term.ts'

/** `missed`: automatic renewal was on, but its time passed while no worker ran or the account was suspended. */
export type EndingReason = 'not_asked' | 'credits_short' | 'not_on_sale' | 'missed'

export interface Ending {
  readonly accountId: string
  readonly name: string
  readonly endsAt: Date
  readonly untilAt: Date
}

/** Those without automatic renewal. @param limit how many are announced in one run. */
export const unaskedEndings = (db: Db, limit: number): Promise<{ subscriptionId: string }[]> =>
  db.query(
    `SELECT subscription_id AS "subscriptionId" FROM access.subscription JOIN access.account AS a USING (account_id)
     WHERE a.erased_at IS NULL AND ended_at IS NULL AND ending_told_at IS NULL AND NOT auto_renew AND cancelled_at IS NULL AND until_at > now()
       AND ends_at <= now() + make_interval(hours => $1) ORDER BY until_at LIMIT $2`,
    [renewHoursBefore, limit],
  )

export async function notifyOfEnding(db: Db, subscriptionId: string, reason: EndingReason): Promise<void> {
  await db.transaction(async (tx) => {
    const [ending] = await tx.query<Ending>(
      sql`UPDATE access.subscription SET ending_told_at = now()
       WHERE subscription_id = $1 AND ending_told_at IS NULL AND cancelled_at IS NULL AND until_at > now()
         AND ends_at <= now() + make_interval(hours => $2)
         AND EXISTS (SELECT FROM access.account a WHERE a.account_id = subscription.account_id AND a.erased_at IS NULL)
       RETURNING account_id AS "accountId", ${nameOfRunningTerm('subscription')} AS name, ends_at AS "endsAt", until_at AS "untilAt"`,
      [subscriptionId, renewHoursBefore],
    )
    if (ending) await announceEnding(tx, { ...ending, subscriptionId, reason, isOver: false })
  })
}

export async function announceEnding(
  tx: Tx,
  ending: Ending & { readonly subscriptionId: string; readonly reason: EndingReason; readonly isOver: boolean },
): Promise<void> {
  const { subscriptionId, accountId, name, endsAt, untilAt, reason, isOver } = ending
  const data = {
    subscription_id: subscriptionId,
    name,
    ends_at: endsAt.toISOString(),
    open_until: untilAt.toISOString(),
    reason,
  }
  const days = { day: indianDayOf(endsAt), last_day: indianDayOf(untilAt), ...(isOver && { is_over: true }) }
  await announce(tx, accountId, 'subscription.ending', data, {
    about: `${subscriptionId} ${data.ends_at}`,
    data: { ...data, ...days },
  })
}
