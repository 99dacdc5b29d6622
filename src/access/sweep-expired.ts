/** Deletes what has had its time: dead sessions, old usage, failures, idempotency keys, keys whose tokens have expired. */
import type { Db } from '../db/db.ts'

/** Table and condition of each kind; a row that may still be asked for is never among them. */
const expired = {
  sessions: ['access.session', `expires_at < now() - interval '1 day' OR revoked_at < now() - interval '1 day'`],
  idempotencyKeys: ['access.idempotency', `created_at < now() - interval '24 hours'`],
  minuteUsage: ['access.minute_usage', `minute < now() - interval '5 minutes'`],
  dailyUsage: ['access.daily_usage', `day < (now() AT TIME ZONE 'UTC')::date - 90`],
  loginFailures: ['access.login_failure', `failed_at < now() - interval '24 hours'`],
  signingKeys: ['access.signing_key', `retired_at < now() - interval '1 day'`],
} as const

/** Running it twice, or in two processes, deletes nothing more. @returns rows deleted by kind. */
export async function sweepExpired(db: Db): Promise<Record<keyof typeof expired, number>> {
  const swept = { sessions: 0, idempotencyKeys: 0, minuteUsage: 0, dailyUsage: 0, loginFailures: 0, signingKeys: 0 }
  for (const kind of Object.keys(expired) as (keyof typeof expired)[]) {
    const [table, condition] = expired[kind]
    swept[kind] = await db.execute(`DELETE FROM ${table} WHERE ${condition}`)
  }
  return swept
}
