/** Recent warnings of pg-boss: backlogs, slow queries, a pinned horizon, bloated indexes, skewed clocks. */
import type { Queryable } from '../db/db.ts'

export interface QueueWarnings {
  /** pg-boss's name for it, such as `queue_backlog`. */
  readonly type: string
  readonly count: number
  /** The latest message of this type. */
  readonly newest: string
}

/**
 * @returns the warnings of the last hour by type; none before the first use of the queue, which creates its own tables.
 */
export async function recentQueueWarnings(db: Queryable): Promise<QueueWarnings[]> {
  const [kept] = await db.query<{ kept: boolean }>(`SELECT to_regclass('pgboss.warning') IS NOT NULL AS kept`)
  if (kept?.kept !== true) return []
  return db.query<QueueWarnings>(
    `SELECT type, count(*) AS count, (array_agg(message ORDER BY created_on DESC))[1] AS newest
       FROM pgboss.warning WHERE created_on > now() - interval '1 hour' GROUP BY type ORDER BY type`,
  )
}
