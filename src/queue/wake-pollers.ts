/**
 * Wakes the pollers of queues that have a job to start. PostgreSQL's notifications announce most jobs at once, but not
 * those that are due later, that wait for another job of their key, or that were announced through a pooler that drops
 * notifications. Pollers that each query on their own would cost an idle instance dozens of transactions a second.
 */
import type { PgBoss } from 'pg-boss'
import type { Queryable } from '../db/db.ts'

export const wakesEveryMs = 500

/** Uses the index that a poller fetches its next job by: one probe per queue. */
const dueSql = `SELECT name FROM unnest($1::text[]) AS queue(name)
  WHERE EXISTS (SELECT FROM pgboss.job j
                WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now())`

/** @param places the pollers' ids by queue. */
export async function wakePollers(
  db: Queryable,
  boss: Pick<PgBoss, 'notifyWorker'>,
  places: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const due = await db.query<{ name: string }>(dueSql, [[...places.keys()]])
  for (const { name } of due) {
    for (const place of places.get(name) ?? []) boss.notifyWorker(place)
  }
}
