/** Deletes rows that no rule reads any more. Safe to repeat; each table is bounded by it. */
import type { Db } from '../db/db.ts'

const sweeps = {
  // A refresh token is read until its session expires; a month later nobody asks about it either.
  sessions: `DELETE FROM access.session WHERE expires_at < now() - interval '30 days'`,
  // Idempotency keys are honoured for 24 hours.
  idempotency_keys: `DELETE FROM access.idempotency WHERE created_at < now() - interval '24 hours'`,
  daily_usage: `DELETE FROM access.daily_usage WHERE day < current_date - 90`,
  minute_usage: `DELETE FROM access.minute_usage WHERE minute < now() - interval '1 hour'`,
  // The throttle looks back 15 minutes, the block a day.
  login_failures: `DELETE FROM access.login_failure WHERE failed_at < now() - interval '2 days'`,
  cron_slots: `DELETE FROM runtime.cron_slot WHERE slot < now() - interval '90 days'`,
} as const

export async function sweepExpired(db: Db): Promise<Record<keyof typeof sweeps, number>> {
  const counts = { sessions: 0, idempotency_keys: 0, daily_usage: 0, minute_usage: 0, login_failures: 0, cron_slots: 0 }
  for (const name of Object.keys(sweeps) as (keyof typeof sweeps)[]) counts[name] = await db.execute(sweeps[name])
  return counts
}
