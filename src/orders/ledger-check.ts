/** Verifies the invariants of the ledger in the database, and stores the result of the nightly check. */
import type { Queryable } from '../db/db.ts'

export interface LedgerViolation {
  readonly invariant: string
  /** Id of the account, lot, transfer or item that breaks it. */
  readonly subject: string
  readonly detail: string
}

export interface LedgerProof {
  readonly provedAt: Date
  readonly transfers: number
  readonly violations: readonly LedgerViolation[]
}

/** Violations stored per check; one is bad enough. */
const keptMax = 100
const proofsKept = 400

/** @returns the violations, empty if every invariant holds. Reads the whole ledger. */
export function ledgerViolations(db: Queryable): Promise<LedgerViolation[]> {
  return db.query<LedgerViolation>('SELECT invariant, subject, detail FROM ledger.violations() ORDER BY 1, 2')
}

export async function countTransfers(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT ledger.count_transfers() AS count')
  return row?.count ?? 0
}

/** Verifies the ledger and stores the result. */
export async function proveLedger(db: Queryable): Promise<{ transfers: number; violations: number }> {
  const violations = await ledgerViolations(db)
  const transfers = await countTransfers(db)
  await db.execute('INSERT INTO ledger.proof (transfers, violations) VALUES ($1, $2)', [
    transfers,
    JSON.stringify(violations.slice(0, keptMax)),
  ])
  await db.execute('DELETE FROM ledger.proof WHERE proof_id <= (SELECT max(proof_id) FROM ledger.proof) - $1::bigint', [
    proofsKept,
  ])
  return { transfers, violations: violations.length }
}

/** @returns the result of the last check; undefined before the first. */
export async function lastProof(db: Queryable): Promise<LedgerProof | undefined> {
  const [row] = await db.query<LedgerProof>(
    `SELECT proved_at AS "provedAt", transfers, violations FROM ledger.proof ORDER BY proof_id DESC LIMIT 1`,
  )
  return row
}
