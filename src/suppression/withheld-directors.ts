/**
 * registry.withheld_director: the directors of the register whose DIN is on the suppression list. It has two writers:
 * additions to the list, for the current register, and each merge of directors, for the rows that it wrote. A lock
 * keeps either from missing what the other has not committed.
 */
import type { Tx } from '../db/db.ts'

/** Key of the advisory lock: the letters "supp" as a number. */
const listLock = 0x73757070

/** Until the transaction ends, no merge can finish and nothing else can change the list. */
export async function holdSuppressions(tx: Tx): Promise<void> {
  await tx.execute('SELECT pg_advisory_xact_lock($1)', [listLock])
}

/** @param dins added to the list by this transaction. */
export async function withholdDirectors(tx: Tx, dins: readonly string[]): Promise<void> {
  await tx.execute(
    `INSERT INTO registry.withheld_director (din, suppression_id)
     SELECT d.din, s.suppression_id FROM registry.director d
     JOIN access.suppression s ON s.hash = access.suppression_hash('din', d.din)
     WHERE d.din = ANY($1::text[]) ON CONFLICT DO NOTHING`,
    [dins],
  )
}

/** Until the transaction ends, the list cannot change; merges still run concurrently. */
export async function holdListed(tx: Tx): Promise<void> {
  await tx.execute('SELECT pg_advisory_xact_lock_shared($1)', [listLock])
}

/** Called at the end of a merge of directors. Costs nothing while no DIN is on the list. */
export async function withholdMerged(tx: Tx, runId: number): Promise<void> {
  await holdListed(tx)
  const listed = await tx.query(`SELECT FROM access.suppression WHERE kind = 'din' LIMIT 1`)
  if (listed.length === 0) return
  await tx.execute(
    `INSERT INTO registry.withheld_director (din, suppression_id)
     SELECT d.din, s.suppression_id FROM registry.director d
     JOIN access.suppression s ON s.hash = access.suppression_hash('din', d.din)
     WHERE d.last_run_id = $1 ON CONFLICT DO NOTHING`,
    [runId],
  )
}
