/** The conditions that hold now, as last noted by a worker. @returns the critical ones first, then by age. */
import type { Queryable } from '../db/db.ts'

export interface OpenCondition {
  readonly cause: string
  readonly type: string
  readonly severity: 'page' | 'ticket'
  readonly summary: string
  readonly remedy: string
  readonly since: Date
  /** When operators were last notified of it. */
  readonly notifiedAt: Date | null
}

export function openConditions(db: Queryable): Promise<OpenCondition[]> {
  return db.query<OpenCondition>(
    `SELECT cause, type, severity, summary, remedy, since, told_at AS "notifiedAt" FROM runtime.condition
     WHERE resolved_at IS NULL AND since + make_interval(secs => for_seconds) <= now()
     ORDER BY severity, since, cause`,
  )
}
