/** Whoever has a plan or offer is told shortly before it ends, once for its last term, and why no other follows. Who cancelled it knows. */
import { renewHoursBefore } from '../../../config/sales.ts'
import type { Db } from '../../db/db.ts'
import { indianDayOf } from '../../domain/iso-date.ts'
import { announce } from '../../notify/announce.ts'

export type EndingReason = 'not_asked' | 'credits_short' | 'not_on_sale'

/** Of those that nobody asked to renew. @param atOnce how many are told in one run. */
export async function tellEndings(db: Db, atOnce: number): Promise<void> {
  const rows = await db.query<{ id: string }>(
    `SELECT subscription_id AS id FROM access.subscription JOIN access.account AS a USING (account_id)
     WHERE a.erased_at IS NULL AND ended_at IS NULL AND ending_told_at IS NULL AND NOT auto_renew AND cancelled_at IS NULL AND until_at > now()
       AND ends_at <= now() + make_interval(hours => $1) ORDER BY until_at LIMIT $2`,
    [renewHoursBefore, atOnce],
  )
  for (const { id } of rows) await tellEnding(db, id, 'not_asked')
}

export async function tellEnding(db: Db, subscriptionId: string, reason: EndingReason): Promise<void> {
  await db.transaction(async (tx) => {
    const [ending] = await tx.query<{ accountId: string; name: string; endsAt: Date; untilAt: Date }>(
      `UPDATE access.subscription SET ending_told_at = now()
       WHERE subscription_id = $1 AND ending_told_at IS NULL AND cancelled_at IS NULL AND until_at > now()
         AND ends_at <= now() + make_interval(hours => $2)
         AND EXISTS (SELECT FROM access.account a WHERE a.account_id = subscription.account_id AND a.erased_at IS NULL)
       RETURNING account_id AS "accountId", name, ends_at AS "endsAt", until_at AS "untilAt"`,
      [subscriptionId, renewHoursBefore],
    )
    if (!ending) return
    const { accountId, name, endsAt, untilAt } = ending
    const data = {
      subscription_id: subscriptionId,
      name,
      ends_at: endsAt.toISOString(),
      open_until: untilAt.toISOString(),
      reason,
    }
    const days = { day: indianDayOf(endsAt), last_day: indianDayOf(untilAt) }
    await announce(tx, accountId, 'subscription.ending', data, {
      about: `${subscriptionId} ${data.ends_at}`,
      data: { ...data, ...days },
    })
  })
}
