/** Verifies the trail and keeps what was found, for doctor, metrics and alerts; one row for each verification. */
import type { Queryable } from '../db/db.ts'
import { type ChainHead, chainHead } from './chain.ts'
import { type TrailBreak, verifyTrail } from './verify-trail.ts'

export interface TrailProof {
  readonly provedAt: Date
  readonly rows: number
  readonly head: ChainHead
  /** Null where the chain was whole. */
  readonly fault: TrailBreak['fault'] | null
}

export interface TrailState {
  readonly head: ChainHead
  /** Of the oldest row behind the newest seal; null where none waits. */
  readonly unsealedSeconds: number | null
  /** Undefined before the first verification. */
  readonly proof: TrailProof | undefined
}

const proofsKept = 400

/** Reads the whole trail. @param heads that were kept elsewhere. */
export async function proveTrail(
  db: Queryable,
  heads: readonly ChainHead[],
): Promise<{ readonly rows: number; readonly broken: TrailBreak | null }> {
  const { rows, head, broken } = await verifyTrail(db, heads)
  await keepProof(db, { rows, head, fault: broken?.fault ?? null })
  return { rows, broken }
}

export async function keepProof(db: Queryable, { rows, head, fault }: Omit<TrailProof, 'provedAt'>): Promise<void> {
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

export async function lastTrailProof(db: Queryable): Promise<TrailProof | undefined> {
  const [row] = await db.query<Omit<TrailProof, 'head'> & ChainHead>(
    `SELECT proved_at AS "provedAt", rows, head_seq AS seq, head_hash AS hash, fault
     FROM access.audit_proof ORDER BY proof_id DESC LIMIT 1`,
  )
  if (!row) return undefined
  const { seq, hash, ...proof } = row
  return { ...proof, head: { seq, hash } }
}

export async function trailState(db: Queryable): Promise<TrailState> {
  const [waiting] = await db.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM now() - min(at))::float8 AS seconds FROM access.audit
     WHERE audit_id > coalesce((SELECT audit_id FROM access.audit_seal ORDER BY seq DESC LIMIT 1), 0)`,
  )
  return {
    head: await chainHead(db),
    unsealedSeconds: waiting?.seconds ?? null,
    proof: await lastTrailProof(db),
  }
}
