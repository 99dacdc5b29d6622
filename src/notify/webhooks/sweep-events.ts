/** Deletes events that are older than a period, with the responses of webhooks. @returns how many. */
import type { Db } from '../../db/db.ts'

export function sweepEvents(db: Db, period: string): Promise<number> {
  return db.execute('DELETE FROM deliver.event WHERE created_at < now() - $1::interval', [period])
}
