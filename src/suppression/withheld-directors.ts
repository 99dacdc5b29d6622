/**
 * registry.withheld_director: the directors of the register whose DIN is on the suppression list. Two write it: who adds to
 * the list, for the register as it stands, and each merge of directors, for the rows that it wrote. A lock keeps the one
 * from missing what the other has not committed.
 */
import type { Tx } from '../db/db.ts'

/** Key of the advisory lock: the letters "supp" as a number. */
const listLock = 0x73757070

/** Until the transaction ends no merge comes to its end, and nobody else changes the list. */
export async function holdSuppressions(tx: Tx): Promise<void> {
  await tx.execute('SELECT pg_advisory_xact_lock($1)', [listLock])
}

/** @param dins on the list since this transaction. */
export async function withholdDirectors(tx: Tx, dins: readonly string[]): Promise<void> {
  await tx.execute(
    `INSERT INTO registry.withheld_director (din, suppression_id)
     SELECT d.din, s.suppression_id FROM registry.director d
     JOIN access.suppression s ON s.hash = access.suppression_hash('din', d.din)
     WHERE d.din = ANY($1::text[]) ON CONFLICT DO NOTHING`,
    [dins],
  )
}

/** Until the transaction ends nobody changes the list; merges go on beside each other. */
export async function holdListed(tx: Tx): Promise<void> {
  await tx.execute('SELECT pg_advisory_xact_lock_shared($1)', [listLock])
}

/** At the end of a merge of directors. Costs nothing while no DIN is on the list. */
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
