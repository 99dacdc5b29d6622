/** Verifies the audit log and stores the result for doctor, metrics and alerts; one row per verification. */
import type { Queryable } from '../db/db.ts'
import { type ChainHead, chainHead } from './chain.ts'
import { type AuditLogBreak, verifyAuditLog } from './verify-audit-log.ts'

export interface AuditLogProof {
  readonly provedAt: Date
  readonly rows: number
  readonly head: ChainHead
  /** null where the chain was intact. */
  readonly fault: AuditLogBreak['fault'] | null
}

export interface AuditLogState {
  readonly head: ChainHead
  /** Age of the oldest unsealed row; null without any. */
  readonly unsealedSeconds: number | null
  /** undefined before the first verification. */
  readonly proof: AuditLogProof | undefined
}

const proofsKept = 400

/** Reads the whole audit log. @param heads that were stored elsewhere. */
export async function proveAuditLog(
  db: Queryable,
  heads: readonly ChainHead[],
): Promise<{ readonly rows: number; readonly broken: AuditLogBreak | null }> {
  const { rows, head, broken } = await verifyAuditLog(db, heads)
  await keepProof(db, { rows, head, fault: broken?.fault ?? null })
  return { rows, broken }
}

export async function keepProof(db: Queryable, { rows, head, fault }: Omit<AuditLogProof, 'provedAt'>): Promise<void> {
  await db.execute('INSERT INTO access.audit_proof (rows, head_seq, head_hash, fault) VALUES ($1, $2, $3, $4)', [
    rows,
    head.seq,
    head.hash,
    fault,
  ])
  await db.execute(
    'DELETE FROM access.audit_proof WHERE proof_id <= (SELECT max(proof_id) FROM access.audit_proof) - $1::bigint',
    [proofsKept],
  )
}

export async function lastAuditLogProof(db: Queryable): Promise<AuditLogProof | undefined> {
  const [row] = await db.query<Omit<AuditLogProof, 'head'> & ChainHead>(
    `SELECT proved_at AS "provedAt", rows, head_seq AS seq, head_hash AS hash, fault
     FROM access.audit_proof ORDER BY proof_id DESC LIMIT 1`,
  )
  if (!row) return undefined
  const { seq, hash, ...proof } = row
  return { ...proof, head: { seq, hash } }
}

export async function auditLogState(db: Queryable): Promise<AuditLogState> {
  const [waiting] = await db.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM now() - min(at))::float8 AS seconds FROM access.audit
     WHERE audit_id > coalesce((SELECT audit_id FROM access.audit_seal ORDER BY seq DESC LIMIT 1), 0)`,
  )
  return {
    head: await chainHead(db),
    unsealedSeconds: waiting?.seconds ?? null,
    proof: await lastAuditLogProof(db),
  }
}
