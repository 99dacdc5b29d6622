/** Recent matches of standing orders per day, for a chart. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export const recentDays = 30

/** @returns by standing order: matches of the runs created on each of the last days (India), today last. */
export async function recentMatches(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, number[]>> {
  const rows = await db.query<{ id: string; matches: number[] }>(
    sql`SELECT requested.id, array_agg(coalesce(found.matches, 0) ORDER BY day.back DESC) AS matches
     FROM unnest($1::uuid[]) AS requested (id) CROSS JOIN generate_series(0, ${recentDays - 1}) AS day (back)
     LEFT JOIN (SELECT standing_order_id, runtime.indian_day(now()) - runtime.indian_day(created_at) AS back, sum(matches)::integer AS matches
       FROM orders.standing_run WHERE standing_order_id = ANY ($1::uuid[]) AND created_at > now() - make_interval(days => ${recentDays + 1}) GROUP BY 1, 2
     ) found ON found.standing_order_id = requested.id AND found.back = day.back
     GROUP BY requested.id`,
    [ids],
  )
  return new Map(rows.map(({ id, matches }) => [id, matches]))
}
