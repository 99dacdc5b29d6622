/**
 * Deletes audit log rows past their retention, in whole days. The chain continues from a checkpoint, and a row records
 * the deletion; running it twice on a day deletes nothing more.
 */
import type { Period } from '../../config/retention.ts'
import type { Db } from '../db/db.ts'
import { sealAuditLog } from './chain.ts'

/** @returns number of rows deleted. @throws where the period is less than a year: the database rejects it. */
export async function pruneAuditLog(db: Db, period: Period): Promise<number> {
  // Only sealed rows may be deleted.
  await sealAuditLog(db, true)
  const [pruned] = await db.query<{ rows: number }>(
    `SELECT access.prune_audit(runtime.indian_midnight(runtime.indian_day(now())) - $1::interval) AS rows`,
    [period],
  )
  return pruned?.rows ?? 0
}
