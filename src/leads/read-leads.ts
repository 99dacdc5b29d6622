/** Reads the frozen leads of a paid order, as a whole or in slices. */

import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import { withholdFromLeads } from '../suppression/withhold-leads.ts'
import type { FullData } from './nested-lead.ts'

/** A lead as in exports of flat rows. */
export interface ShownLead {
  readonly type: EntityType
  readonly identifier: string
  /** Columns of `config/lead-columns.ts`. */
  readonly row: LeadRow
  /** Missing if only rows were requested. */
  readonly fullData?: FullData
  /** For an unpaid order: all that is shown. `reachable` is null for orders placed before it was stored. */
  readonly unpaid?: { readonly name: string; readonly reachable: boolean | null }
}

export interface OrderLead extends ShownLead {
  readonly itemId: string
  readonly fullData: FullData
}

export interface LeadSlice {
  /** The slice begins after this position; -1 for the first. */
  readonly after: number
  readonly limit: number
  /** `rows` leaves out what only the nested shapes contain. */
  readonly parts: 'rows' | 'all'
  readonly type?: EntityType | undefined
}

export interface SliceRead {
  readonly leads: readonly ShownLead[]
  /** `after` for the next slice; null after the last. */
  readonly last: number | null
}

/** The leads built so far, in the order of the request, with what may be shared today; refunded items have none. */
export async function readLeads(db: Queryable, orderId: string): Promise<OrderLead[]> {
  const leads = await db.query<OrderLead>(
    `SELECT lead.item_id AS "itemId", lead.type, lead.identifier, lead.flat AS row, lead.full_data AS "fullData"
     FROM orders.lead JOIN orders.item USING (item_id)
     WHERE lead.order_id = $1 AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL ORDER BY lead.position`,
    [orderId],
  )
  return asTheyMayLeave(db, leads)
}

const sliceStatement = (parts: LeadSlice['parts']) => ({
  name: `lead-slice-${parts}`,
  text: sql`SELECT item.position, item.type, item.identifier, EXISTS (SELECT FROM access.suppression) AS "isAnyHeld",
           lead.flat AS row${parts === 'all' ? ', lead.full_data AS "fullData"' : ''}
         FROM orders.item
         LEFT JOIN orders.lead ON lead.order_id = $1 AND lead.position > $2 AND lead.position = item.position
         WHERE item.order_id = $1 AND item.position > $2 AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
           AND (item.has_contact OR lead.item_id IS NOT NULL) AND ($4::text IS NULL OR item.type = $4)
         ORDER BY item.position LIMIT $3`,
})
const sliceStatements = { rows: sliceStatement('rows'), all: sliceStatement('all') }

interface FoundItem extends Omit<ShownLead, 'row'> {
  readonly position: number
  readonly isAnyHeld: boolean
  readonly row: LeadRow | null
}
type FoundLead = FoundItem & Pick<ShownLead, 'row'>

/**
 * A slice of them. The columns of their rows are unordered.
 * @returns undefined if a lead of the slice is not built yet.
 */
export async function readLeadSlice(db: Queryable, orderId: string, slice: LeadSlice): Promise<SliceRead | undefined> {
  const { after, limit, parts, type } = slice
  // Reads one row more, to know whether another slice follows.
  const rows = await db.query<FoundItem>(sliceStatements[parts], [orderId, after, limit + 1, type ?? null])
  const found = rows.length > limit ? rows.slice(0, limit) : rows
  const last = rows.length > limit ? (found.at(-1)?.position ?? null) : null
  const built = found.filter((each): each is FoundLead => each.row !== null)
  if (built.length < found.length) return undefined
  // If there are no objections at all, no lead has to be searched for withheld values.
  return { leads: built[0]?.isAnyHeld === true ? await withholdFromLeads(db, built) : built, last }
}

/** jsonb does not keep the order of keys, and older frozen leads lack newer columns. */
async function asTheyMayLeave<L extends ShownLead>(db: Queryable, leads: readonly L[]): Promise<L[]> {
  const shown = await withholdFromLeads(db, leads)
  return shown.map((lead) => ({ ...lead, row: inColumnOrder(lead.type, lead.row) }))
}

/** The records in an export, without those that objected. */
export async function identifiersOfLeads(db: Queryable, orderId: string): Promise<string[]> {
  const rows = await db.query<{ identifier: string }>(
    `SELECT item.identifier FROM orders.item JOIN orders.purchase USING (order_id)
     WHERE item.order_id = $1 AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
       AND NOT access.objected_to(item.type, item.identifier)
       AND (purchase.payment_status <> 'paid' OR purchase.status <> 'completed'
            OR EXISTS (SELECT FROM orders.lead WHERE lead.item_id = item.item_id))
     ORDER BY item.position`,
    [orderId],
  )
  return rows.map(({ identifier }) => identifier)
}

/** A loop, since building each of a million rows from entries takes five times as long. */
export function inColumnOrder(type: EntityType, row: LeadRow): LeadRow {
  const ordered: Record<string, string | number | null> = {}
  for (const { name } of leadColumns[type]) ordered[name] = row[name] ?? null
  return ordered
}
