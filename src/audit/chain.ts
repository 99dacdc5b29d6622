/**
 * The hash chain over the audit log: rows are sealed in order, and its head, stored outside the database, reveals a
 * truncated log.
 */
import { auditLogBounds } from '../../config/audit-log.ts'
import type { Queryable } from '../db/db.ts'

export interface ChainHead {
  /** Position of the newest seal, from 1; 0 for an empty audit log. */
  readonly seq: number
  /** Hexadecimal. */
  readonly hash: string
}

/**
 * Seals every row into the chain, in batches; running it concurrently or again changes nothing more. @param thorough
 * also looks for rows of long-running transactions. @returns number of rows sealed.
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

/**
 * Whether the chain still contains a head stored elsewhere; one older than the oldest row cannot be checked and passes.
 */
export async function headStands(db: Queryable, { seq, hash }: ChainHead): Promise<boolean> {
  const [found] = await db.query<{ holds: boolean }>(
    `SELECT EXISTS (SELECT FROM access.audit_seal WHERE seq = $1 AND encode(hash, 'hex') = $2)
         OR $1 <= coalesce((SELECT max(seq) FROM access.audit_checkpoint), 0) AS holds`,
    [seq, hash],
  )
  return found?.holds ?? false
}
