/**
 * Wakes the places of queues that have a job to start. PostgreSQL's notifications tell of most at once, but not of those that come due
 * later, wait for another of their key, or were told over a pooler that passes none on; and places that each look for themselves
 * cost an instance without work dozens of transactions a second.
 */
import type { PgBoss } from 'pg-boss'
import type { Queryable } from '../db/db.ts'

/** Between two looks. */
export const wakesEveryMs = 500

/** By the index that a place takes its next job from: one probe for each queue. */
const dueSql = `SELECT name FROM unnest($1::text[]) AS queue(name)
  WHERE EXISTS (SELECT FROM pgboss.job j
                WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now())`

/** @param places the ids of each queue's. */
export async function wakePlaces(
  db: Queryable,
  boss: Pick<PgBoss, 'notifyWorker'>,
  places: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const due = await db.query<{ name: string }>(dueSql, [[...places.keys()]])
  for (const { name } of due) {
    for (const place of places.get(name) ?? []) boss.notifyWorker(place)
  }
}
