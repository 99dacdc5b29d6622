/**
 * Notifies each account once a day how many of its records in fresh destinations imports changed since the day
 * before, and sends nothing if none changed. A second run on the same day does nothing.
 */
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { announce } from '../../notify/announce.ts'
import type { EventData } from '../../notify/event-types.ts'

/** A time of day in India: last night's imports are reported this morning. */
const notifiesAt = '08:00'

/** How far back a notice looks after days without a worker. */
const daysBackMax = 7

const refreshedSql = sqlFile(import.meta.url, 'refreshed.sql')

const dueSql = sql`SELECT DISTINCT d.account_id AS "accountId", runtime.indian_day(now())::text AS today
  FROM deliver.destination d JOIN access.account a USING (account_id)
  WHERE d.keep = 'fresh' AND d.status <> 'removed' AND a.erased_at IS NULL
    AND (d.fresh_told_on IS NULL OR d.fresh_told_on < runtime.indian_day(now()))
    AND (now() AT TIME ZONE 'Asia/Kolkata')::time >= $1::time
  ORDER BY 1`

export async function noticeOfFreshIsDue(db: Db): Promise<boolean> {
  return (await db.query(dueSql, [notifiesAt])).length > 0
}

/** @returns how many accounts were notified. */
export async function notifyOfRefreshes(db: Db, at: string = notifiesAt): Promise<number> {
  let notified = 0
  for (const due of await db.query<{ accountId: string; today: string }>(dueSql, [at]))
    if (await notifyAccount(db, { ...due, at })) notified += 1
  return notified
}

async function notifyAccount(
  db: Db,
  { accountId, today, at }: { readonly accountId: string; readonly today: string; readonly at: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [before] = await tx.query<{ since: string }>(
      `SELECT greatest(coalesce(max(fresh_told_on), $2::date - 1), $2::date - $3::integer)::text AS since FROM (
         SELECT fresh_told_on FROM deliver.destination WHERE account_id = $1 AND keep = 'fresh' AND status <> 'removed'
         ORDER BY destination_id FOR NO KEY UPDATE) held`,
      [accountId, today, daysBackMax],
    )
    const claimed = await tx.execute(
      `UPDATE deliver.destination SET fresh_told_on = $2
       WHERE account_id = $1 AND keep = 'fresh' AND status <> 'removed' AND (fresh_told_on IS NULL OR fresh_told_on < $2::date)`,
      [accountId, today],
    )
    if (claimed === 0 || !before || before.since === today) return false
    type RefreshedDestination = EventData<'delivery.refreshed'>['destinations'][number]
    const destinations = await tx.query<RefreshedDestination>(refreshedSql, [accountId, before.since, today, at])
    if (destinations.length === 0) return false
    await announce(tx, accountId, 'delivery.refreshed', { day: today, destinations }, { about: today })
    return true
  })
}
