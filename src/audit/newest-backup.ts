/** The newest complete backup, and the newest whose restore was tested, according to the audit log. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export interface FinishedBackup {
  readonly file: string
  readonly finishedAt: Date
  readonly restoreVerified: boolean
}

export interface NewestBackups {
  readonly written: FinishedBackup | undefined
  readonly restored: FinishedBackup | undefined
}

export async function newestBackups(db: Queryable): Promise<NewestBackups> {
  const newest = async (condition: string) => {
    const [found] = await db.query<FinishedBackup>(
      sql`SELECT detail ->> 'file' AS file, at AS "finishedAt",
              coalesce((detail ->> 'restore_verified')::boolean, false) AS "restoreVerified"
       FROM access.audit WHERE subject = 'instance' AND action = 'finish backup' AND ${condition}
       ORDER BY audit_id DESC LIMIT 1`,
    )
    return found
  }
  return { written: await newest('true'), restored: await newest(`(detail ->> 'restore_verified')::boolean`) }
}
