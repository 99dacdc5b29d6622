/** Current rows of items that were bought before; the frozen leads do not change. */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import { readRecords } from './build-leads.ts'
import { flatRow } from './flat-row.ts'

/** @returns rows of items with a usable contact, and of the others if requested. */
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
