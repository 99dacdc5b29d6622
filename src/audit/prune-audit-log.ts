/**
 * Takes the rows out of the audit log that have had their time, whole days of them. The chain goes on from a checkpoint, and a row
 * tells of it; running it twice on a day takes nothing more.
 */
import type { Period } from '../../config/retention.ts'
import type { Db } from '../db/db.ts'
import { sealAuditLog } from './chain.ts'

/** @returns rows that went. @throws where the period is less than a year: the database refuses it. */
export async function pruneAuditLog(db: Db, period: Period): Promise<number> {
  // Only what the chain holds may go.
  await sealAuditLog(db, true)
  const [pruned] = await db.query<{ rows: number }>(
    `SELECT access.prune_audit(runtime.indian_midnight(runtime.indian_day(now())) - $1::interval) AS rows`,
    [period],
  )
  return pruned?.rows ?? 0
}
