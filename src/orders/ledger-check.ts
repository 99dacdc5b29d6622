/** Proves the invariants of the books from their rows, in the database; nothing is changed. */
import type { Queryable } from '../db/db.ts'

export interface LedgerViolation {
  readonly invariant: string
  /** Id of the account, lot, transfer or item that breaks it. */
  readonly subject: string
  readonly detail: string
}

/** @returns the faults, none where every invariant holds. It reads the whole ledger. */
export function ledgerViolations(db: Queryable): Promise<LedgerViolation[]> {
  return db.query<LedgerViolation>('SELECT invariant, subject, detail FROM ledger.violations() ORDER BY 1, 2')
}

/** Number of transfers that a check proves something about. */
export async function countTransfers(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT count(*) FROM ledger.transfer')
  return row?.count ?? 0
}
