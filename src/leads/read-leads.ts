/** Reads the frozen leads of a paid order. */
import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import type { Db, Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { withholdFromLeads } from '../suppression/withhold-leads.ts'
import { type BuildRequest, buildLeads, itemsWithoutLead } from './build-leads.ts'
import type { FullData } from './nested-lead.ts'

export interface OrderLead {
  readonly itemId: string
  readonly type: EntityType
  readonly identifier: string
  /** Exactly the columns of `config/lead-columns.ts`, in their order. */
  readonly row: LeadRow
  readonly fullData: FullData
  /** Of an order that is not paid: all that it shows. `reachable` is null for orders placed before it was noted. */
  readonly unpaid?: { readonly name: string; readonly reachable: boolean | null }
}

/** The leads built so far, in the order of the request, as they may leave today; an item whose credit came back shows none. */
export async function readLeads(db: Queryable, orderId: string): Promise<OrderLead[]> {
  const leads = await db.query<OrderLead>(
    `SELECT lead.item_id AS "itemId", lead.type, lead.identifier, lead.flat AS row, lead.full_data AS "fullData"
     FROM orders.lead JOIN orders.item USING (item_id)
     WHERE lead.order_id = $1 AND item.refunded_at IS NULL ORDER BY lead.position`,
    [orderId],
  )
  // jsonb keeps no order of keys, and a lead frozen before a column was added lacks it.
  const shown = await withholdFromLeads(db, leads)
  return shown.map((lead) => ({ ...lead, row: inColumnOrder(lead.type, lead.row) }))
}

/** The leads of a paid order; those that the job has not built yet are built now. */
export async function readPaidLeads(db: Db, request: BuildRequest): Promise<OrderLead[]> {
  const missing = await itemsWithoutLead(db, request.orderId)
  if (missing.length > 0) await buildLeads(db, request)
  return readLeads(db, request.orderId)
}

function inColumnOrder(type: EntityType, row: LeadRow): LeadRow {
  return Object.fromEntries(leadColumns[type].map(({ name }) => [name, row[name] ?? null]))
}
