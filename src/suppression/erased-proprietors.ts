/**
 * Sole proprietors: their registrations contain their name, address and PAN, so they are erased from the registers as
 * soon as they object, and again at the end of each merge that brings them back. Once removed from the list, they
 * return with the next import.
 */
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { holdListed } from './withheld-directors.ts'

/** @param pans added to the list by this transaction. */
export async function eraseProprietors(tx: Tx, pans: readonly string[]): Promise<void> {
  await tx.execute('SELECT registry.erase_proprietors($1)', [pans])
}

/** By table: which rows of a run may be of sole proprietors. */
const pansOf: Readonly<Record<string, string>> = {
  'registry.gst_taxpayer': `SELECT DISTINCT pan FROM registry.gst_taxpayer WHERE last_run_id = $1 AND substr(pan, 4, 1) = 'P'`,
  'registry.contact': `SELECT DISTINCT substr(identifier, 3, 10) AS pan FROM registry.contact
    WHERE last_run_id = $1 AND entity = 'gst' AND substr(identifier, 6, 1) = 'P'`,
}

/** Called at the end of a merge. Costs nothing while no PAN is on the list. */
export async function eraseMerged(tx: Tx, table: string, runId: number): Promise<void> {
  const pans = pansOf[table]
  if (pans === undefined) return
  await holdListed(tx)
  const listed = await tx.query(`SELECT FROM access.suppression WHERE kind = 'pan' LIMIT 1`)
  if (listed.length === 0) return
  await tx.execute(
    sql`SELECT registry.erase_proprietors(array_agg(pan)) FROM (${pans}) AS written
        WHERE access.suppression_hash('pan', pan) IN (SELECT hash FROM access.suppression WHERE kind = 'pan')`,
    [runId],
  )
}
