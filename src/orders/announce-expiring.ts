/**
 * Notifies an account once, some days before, of credits that expire unspent: bought ones and granted ones. Those of a plan
 * end with their term, which has a notice of its own. Idempotent, also for two runs at once.
 */
import { expiringDaysBefore } from '../../config/sales.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { announce } from '../notify/announce.ts'

interface Expiring {
  readonly accountId: string
  readonly credits: number
  /** YYYY-MM-DD, in India. */
  readonly lastDay: string
}

const expiring = sql`SELECT owner_id AS "accountId", sum(total - used)::bigint AS credits, last_day AS "lastDay"
  FROM ledger.lot JOIN ledger.account USING (ledger_account_id) JOIN access.account AS owner ON account_id = owner_id,
    LATERAL (SELECT runtime.indian_day(ends_at - interval '1 millisecond')::text AS last_day) AS day
  WHERE account.kind = 'credits' AND lot.type <> 'plan' AND total > used
    AND ends_at > now() AND ends_at <= now() + make_interval(days => $1) AND erased_at IS NULL
    AND NOT EXISTS (SELECT FROM deliver.event WHERE event.account_id = owner_id AND event.type = 'credits.expiring'
      AND event.data ->> 'last_day' = last_day)
    AND NOT EXISTS (SELECT FROM deliver.mail WHERE mail.account_id = owner_id AND mail.type = 'credits.expiring'
      AND mail.about = last_day)`

/** Accounts without webhooks that want no e-mail are found again each time. @returns for how many days of accounts. */
export async function announceExpiring(db: Db): Promise<number> {
  const found = await db.query<Expiring>(sql`${expiring} GROUP BY owner_id, last_day ORDER BY last_day, owner_id`, [
    expiringDaysBefore,
  ])
  for (const { accountId, lastDay: day } of found) {
    await db.transaction(async (tx) => {
      await tx.query('SELECT FROM access.account WHERE account_id = $1 FOR NO KEY UPDATE', [accountId])
      const [still] = await tx.query<Expiring>(
        sql`${expiring} AND owner_id = $2 AND last_day = $3 GROUP BY owner_id, last_day`,
        [expiringDaysBefore, accountId, day],
      )
      if (!still) return
      const data = { credits: still.credits, last_day: day }
      await announce(tx, accountId, 'credits.expiring', data, { about: day, data })
    })
  }
  return found.length
}
