/** Reads the leads of an order: the frozen ones of a paid order, or a preview without contact columns of a pending one. */
import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import type { Db, Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { type BuildRequest, buildLeads, itemsWithoutLead, readRecords } from './build-leads.ts'
import { flatRow, withoutContact } from './flat-row.ts'
import { type FullData, fullDataOf, fullDataWithoutContact } from './nested-lead.ts'

export interface OrderLead {
  readonly itemId: string
  readonly type: EntityType
  readonly identifier: string
  /** Exactly the columns of `config/lead-columns.ts`, in their order. */
  readonly row: LeadRow
  readonly fullData: FullData
}

/** The leads built so far, in the order of the request. */
export async function readLeads(db: Queryable, orderId: string): Promise<OrderLead[]> {
  const leads = await db.query<OrderLead>(
    `SELECT item_id AS "itemId", type, identifier, flat AS row, full_data AS "fullData"
     FROM orders.lead WHERE order_id = $1 ORDER BY position`,
    [orderId],
  )
  // jsonb keeps no order of keys, and a lead frozen before a column was added lacks it.
  return leads.map((lead) => ({ ...lead, row: inColumnOrder(lead.type, lead.row) }))
}

/** The leads of a paid order; those that the job has not built yet are built now. */
export async function readPaidLeads(db: Db, request: BuildRequest): Promise<OrderLead[]> {
  const missing = await itemsWithoutLead(db, request.orderId)
  if (missing.length > 0) await buildLeads(db, request)
  return readLeads(db, request.orderId)
}

/** What a pending order would bring: today's rows of all its items, contact columns left empty, nothing stored. */
export async function previewLeads(db: Queryable, { orderId, leadSource }: BuildRequest): Promise<OrderLead[]> {
  const items = await db.query<{ item_id: string }>('SELECT item_id FROM orders.item WHERE order_id = $1', [orderId])
  const leads = await readRecords(
    db,
    items.map(({ item_id }) => item_id),
  )
  return leads.map((lead) => ({
    itemId: lead.itemId,
    type: lead.type,
    identifier: lead.identifier,
    row: withoutContact(lead.type, flatRow(lead, leadSource)),
    fullData: fullDataWithoutContact(fullDataOf(lead)),
  }))
}

function inColumnOrder(type: EntityType, row: LeadRow): LeadRow {
  return Object.fromEntries(leadColumns[type].map(({ name }) => [name, row[name] ?? null]))
}
