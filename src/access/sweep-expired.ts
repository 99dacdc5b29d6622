/** Deletes expired data: ended sessions, old usage, failures, idempotency keys, keys whose tokens have expired. */
import { type RetainedClass, retention } from '../../config/retention.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

type Swept = Exclude<
  RetainedClass,
  'audit' | 'requests' | 'rejects' | 'uploads' | 'history' | 'deliveryAttempts' | 'webhookEvents' | 'mails' | 'alerts'
>

/** Table and condition of each kind, $1 the period; never matches a row that may still be used. */
const expired: Readonly<Record<Swept, readonly [table: string, condition: string]>> = {
  sessions: ['access.session', 'expires_at < now() - $1::interval OR revoked_at < now() - $1::interval'],
  consoleSessions: ['access.console_session', 'expires_at < now() - $1::interval OR ended_at < now() - $1::interval'],
  consoleCodes: ['access.console_code', 'expires_at < now() - $1::interval OR used_at < now() - $1::interval'],
  signInCodes: ['access.sign_in_code', 'expires_at < now() - $1::interval'],
  signInRequests: ['access.sign_in_request', 'asked_at < now() - $1::interval'],
  consents: ['deliver.consent', 'expires_at < now() - $1::interval'],
  idempotentAnswers: ['access.idempotency', 'created_at < now() - $1::interval'],
  minuteUsage: ['access.minute_usage', 'minute < now() - $1::interval'],
  dailyUsage: ['access.daily_usage', `day < runtime.limit_day(now() - $1::interval)`],
  loginFailures: ['access.login_failure', 'failed_at < now() - $1::interval'],
  signingKeys: ['access.signing_key', 'retired_at < now() - $1::interval'],
}

/** Running it twice, or in two processes, deletes nothing more. @returns rows deleted by kind. */
export async function sweepExpired(db: Db): Promise<Record<Swept, number>> {
  const swept: Record<Swept, number> = {
    sessions: 0,
    consoleSessions: 0,
    consoleCodes: 0,
    signInCodes: 0,
    signInRequests: 0,
    consents: 0,
    idempotentAnswers: 0,
    minuteUsage: 0,
    dailyUsage: 0,
    loginFailures: 0,
    signingKeys: 0,
  }
  for (const kind of Object.keys(expired) as Swept[]) {
    const [table, condition] = expired[kind]
    swept[kind] = await db.execute(sql`DELETE FROM ${table} WHERE ${condition}`, [retention[kind]])
  }
  return swept
}
