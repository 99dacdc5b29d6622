/**
 * What an unpaid order shows: for each item its identifier, the buyer's name for it, and whether it had a usable
 * contact when the order was placed. The registers are not read, so asking again reveals nothing. An order whose money
 * was refunded has no rows left.
 */
import { leadColumns } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import type { LeadSlice, ShownLead, SliceRead } from './read-leads.ts'

interface UnpaidItem {
  readonly position: number
  readonly type: EntityType
  readonly identifier: string
  readonly name: string
  readonly reachable: boolean | null
}

/** Columns that contain the buyer's input; all others are null. */
const givenColumns: Readonly<Record<EntityType, { readonly identifier: string; readonly names: readonly string[] }>> = {
  company: { identifier: 'CIN', names: ['Last_Name', 'Company'] },
  director: { identifier: 'DIN', names: ['Last_Name', 'Full_Name'] },
  gst: { identifier: 'GSTIN', names: ['Last_Name', 'Company'] },
}

/** In the order of the request, without items that were withdrawn or refunded. */
export async function readUnpaidSlice(
  db: Queryable,
  { orderId, leadSource }: { readonly orderId: string; readonly leadSource: string },
  { after, limit, type }: LeadSlice,
): Promise<SliceRead> {
  const items = await db.query<UnpaidItem>(
    `SELECT position, type, identifier, name, has_contact AS reachable FROM orders.item
     WHERE order_id = $1 AND position > $2 AND ($4::text IS NULL OR type = $4) AND refunded_at IS NULL AND withdrawn_at IS NULL
     ORDER BY position LIMIT $3`,
    [orderId, after, limit, type ?? null],
  )
  return {
    leads: items.map((item) => asLead(item, leadSource)),
    last: items.length < limit ? null : (items.at(-1)?.position ?? null),
  }
}

function asLead({ type, identifier, name, reachable }: UnpaidItem, leadSource: string): ShownLead {
  const given = givenColumns[type]
  const cells: Record<string, string> = { [given.identifier]: identifier, Lead_Source: leadSource }
  for (const column of given.names) cells[column] = name
  return {
    type,
    identifier,
    row: Object.fromEntries(leadColumns[type].map((column) => [column.name, cells[column.name] ?? null])),
    fullData: { company: null, directors: [], gst: [] },
    unpaid: { name, reachable },
  }
}
