/** Counts the sealed values of a database, which cannot be opened with another secret key. */
import type { Tx } from '../db/db.ts'
import { countValues, presentColumns } from './sealed-values.ts'

/** @returns sealed values by table. */
export async function countSealed(tx: Tx): Promise<Record<string, number>> {
  const closed: Record<string, number> = {}
  for (const column of await presentColumns(tx)) {
    const count = await countValues(tx, column)
    if (count > 0) closed[column.table] = (closed[column.table] ?? 0) + count
  }
  return closed
}
