/** The chain over the audit log: rows are taken into it in order, and its head, kept outside the database, tells of a cut tail. */
import { auditLogBounds } from '../../config/audit-log.ts'
import type { Queryable } from '../db/db.ts'

export interface ChainHead {
  /** Place of the newest seal, from 1; 0 for an audit log that never had a row. */
  readonly seq: number
  /** In hexadecimal digits. */
  readonly hash: string
}

/**
 * Takes every row that is there into the chain, a step at a time; twice at once, or again, changes nothing more.
 * @param thorough looks for rows of transactions that ended long after they had begun, too.
 * @returns rows that were taken into the chain.
 */
export async function sealAuditLog(db: Queryable, thorough = false): Promise<number> {
  let sealed = 0
  for (;;) {
    const [step] = await db.query<{ rows: number }>('SELECT access.seal_audit($1, $2) AS rows', [
      auditLogBounds.sealedAtOnce,
      thorough,
    ])
    sealed += step?.rows ?? 0
    if ((step?.rows ?? 0) < auditLogBounds.sealedAtOnce) return sealed
  }
}

export async function chainHead(db: Queryable): Promise<ChainHead> {
  const [head] = await db.query<ChainHead>(
    `SELECT seq, encode(hash, 'hex') AS hash FROM (
       (SELECT seq, hash FROM access.audit_seal ORDER BY seq DESC LIMIT 1)
       UNION ALL (SELECT seq, hash FROM access.audit_checkpoint ORDER BY seq DESC LIMIT 1)) heads
     ORDER BY seq DESC LIMIT 1`,
  )
  return head ?? { seq: 0, hash: '' }
}

/** Whether the chain still contains a head that was kept elsewhere; one older than the oldest row is not asked for. */
export async function headStands(db: Queryable, { seq, hash }: ChainHead): Promise<boolean> {
  const [found] = await db.query<{ stands: boolean }>(
    `SELECT EXISTS (SELECT FROM access.audit_seal WHERE seq = $1 AND encode(hash, 'hex') = $2)
         OR $1 <= coalesce((SELECT max(seq) FROM access.audit_checkpoint), 0) AS stands`,
    [seq, hash],
  )
  return found?.stands ?? false
}
