/**
 * Deletes calls that are older than a period, and all but the newest of each key. Running it twice deletes nothing
 * more. @returns how many.
 */
import { requestLogBounds } from '../../../config/request-log.ts'
import type { Db } from '../../db/db.ts'

export async function sweepRequests(
  db: Db,
  period: string,
  keptPerKey: number = requestLogBounds.keptPerKey,
): Promise<number> {
  const old = await db.execute('DELETE FROM access.request_log WHERE at < now() - $1::interval', [period])
  const many = await db.execute(
    `DELETE FROM access.request_log l USING (
       SELECT k.api_key_id, newest.at FROM (SELECT DISTINCT api_key_id FROM access.request_log) k
       CROSS JOIN LATERAL (
         SELECT at FROM access.request_log o WHERE o.api_key_id = k.api_key_id ORDER BY at DESC OFFSET $1::integer - 1 LIMIT 1
       ) newest) AS cut
     WHERE l.api_key_id = cut.api_key_id AND l.at < cut.at`,
    [keptPerKey],
  )
  return old + many
}
