/**
 * Health of the hosts of webhooks, shared by all workers: one that times out a few times in a row is paused for longer
 * and longer, and then tried with one notice at a time until it answers.
 */
import { webhookBounds } from '../../../config/webhooks.ts'
import type { Queryable } from '../../db/db.ts'

export async function noteAnswer(db: Queryable, host: string, inTime: boolean): Promise<void> {
  if (inTime) {
    await db.execute('DELETE FROM deliver.receiver WHERE host = $1', [host])
    return
  }
  const { failuresMax, pauseSeconds, pauseSecondsMax } = webhookBounds
  await db.execute(
    `INSERT INTO deliver.receiver AS r (host, failures) VALUES ($1, 1)
     ON CONFLICT (host) DO UPDATE SET failures = r.failures + 1, paused_until = CASE WHEN r.failures + 1 >= $2::integer
       THEN clock_timestamp() + least($3 * 2 ^ least(r.failures + 1 - $2, 20), $4) * interval '1 second' END`,
    [host, failuresMax, pauseSeconds, pauseSecondsMax],
  )
}

/** Gives up notices that have waited for a paused host for as long as they would have been retried elsewhere. */
export function giveUpNotices(db: Queryable): Promise<number> {
  return db.execute(
    `UPDATE deliver.notice n SET state = 'failed', last_error = coalesce(n.last_error, 'its host does not answer')
     FROM deliver.webhook w JOIN deliver.receiver r ON r.host = coalesce(w.host, w.webhook_id::text) AND r.failures >= $1
     WHERE n.webhook_id = w.webhook_id AND n.state = 'pending' AND n.due_since < now() - $2 * interval '1 day'`,
    [webhookBounds.failuresMax, webhookBounds.giveUpDays],
  )
}

/** Forgets hosts that no webhook uses any more. */
export function forgetHosts(db: Queryable): Promise<number> {
  return db.execute(
    `DELETE FROM deliver.receiver r WHERE NOT EXISTS (
       SELECT FROM deliver.webhook w WHERE w.removed_at IS NULL AND coalesce(w.host, w.webhook_id::text) = r.host)`,
  )
}
