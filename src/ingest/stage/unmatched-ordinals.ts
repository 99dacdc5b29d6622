/** Which records of a file are to be staged, read in batches: there may be millions. */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { Ordinals } from './ordinals.ts'

const atATime = 50_000

export async function unmatchedOrdinals(tx: Tx, unmatchedTable: string, last: number): Promise<Ordinals> {
  const found = new Ordinals(last)
  await tx.execute(
    sql`DECLARE unmatched_rows NO SCROLL CURSOR FOR SELECT ordinal FROM ${unmatchedTable} WHERE ordinal IS NOT NULL`,
  )
  for (;;) {
    const rows = await tx.query<{ ordinal: number }>(sql`FETCH ${atATime} FROM unmatched_rows`)
    for (const { ordinal } of rows) found.add(ordinal)
    if (rows.length < atATime) break
  }
  await tx.execute('CLOSE unmatched_rows')
  return found
}
