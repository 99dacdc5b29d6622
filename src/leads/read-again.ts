/** What the registers say today about items that were bought before, as flat rows; the frozen leads stay as they are. */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import { readRecords } from './build-leads.ts'
import { flatRow } from './flat-row.ts'

/** @returns those under which somebody can be reached, and the others where they are asked for, too. */
export async function readRowsAgain(
  db: Queryable,
  itemIds: readonly string[],
  leadSource: string,
  { unreachable = false }: { readonly unreachable?: boolean } = {},
): Promise<{ readonly itemId: string; readonly row: LeadRow; readonly runId: number | null }[]> {
  const records = await readRecords(db, itemIds)
  return records
    .filter(({ record: { contact } }) => unreachable || contact.ways.length > 0)
    .map((lead) => ({ itemId: lead.itemId, row: flatRow(lead, leadSource), runId: lead.registryRunId }))
}
