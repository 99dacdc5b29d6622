/** Marks the records of destinations with keep = 'fresh' that an applied import touched. Idempotent. */
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'

const markSql = sqlFile(import.meta.url, 'mark-changed.sql')

/** @returns how many records are to be compared with the registers. */
export async function markChanged(db: Db, importRunId: number): Promise<number> {
  const [fresh] = await db.query(`SELECT FROM deliver.destination WHERE keep = 'fresh' AND status <> 'removed' LIMIT 1`)
  return fresh === undefined ? 0 : db.execute(markSql, [importRunId])
}
