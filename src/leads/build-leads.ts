/**
 * Builds the leads of a paid order, one frozen lead per item with contact data. An item whose contacts all objected
 * since the order was placed gets no lead, and its credit is refunded in the same transaction.
 *
 * The order's row is locked while its leads are written, and only missing leads are written: repeated or concurrent
 * runs build every lead once, and it never changes again, whatever happens in the registers.
 */
import { shownOn } from '../../config/fields/shown.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { type Instead, members } from '../db/shown-columns.ts'
import { sqlFile } from '../db/sql-file.ts'
import { fillSql } from '../db/sql-template.ts'
import type { EntityType } from '../domain/identity.ts'
import { AppError } from '../errors.ts'
import { orderToLeadSeconds } from '../telemetry/measured.ts'
import { flatRow } from './flat-row.ts'
import type { CompanyLead, DirectorLead, GstLead, LeadRecord } from './lead-record.ts'
import { fullDataOf } from './nested-lead.ts'

const fieldsOf = (type: EntityType, alias: string, instead: Instead = {}) => ({
  fields: members(alias, shownOn(type, 'lead'), instead),
})
const companyRecords = fillSql(
  sqlFile(import.meta.url, 'company-records.sql'),
  fieldsOf('company', 'company', { email: 'contact.email' }),
)
const directorRecords = fillSql(sqlFile(import.meta.url, 'director-records.sql'), fieldsOf('director', 'director'))
const gstRecords = fillSql(sqlFile(import.meta.url, 'gst-records.sql'), fieldsOf('gst', 'taxpayer'))

export interface BuildRequest {
  readonly orderId: string
  /** Value of the column Lead_Source. */
  readonly leadSource: string
  /** Refunds credits: `refundItems` of the ledger. */
  readonly refund: (tx: Tx, accountId: string, itemIds: readonly string[], reason: 'no_contact') => Promise<unknown>
}

/** @throws AppError NOT_FOUND for an unknown order, CONFLICT for one that is not paid. */
export async function buildLeads(db: Db, request: BuildRequest): Promise<{ built: number }> {
  const { built, waitedSeconds } = await db.transaction((tx) => buildLeadsWithin(tx, request))
  for (let lead = 0; lead < built; lead++) orderToLeadSeconds.observe({ stage: 'built' }, waitedSeconds)
  return { built }
}

/** The same within the caller's transaction. */
export async function buildLeadsWithin(
  tx: Tx,
  request: BuildRequest,
): Promise<{ built: number; waitedSeconds: number }> {
  const [order] = await tx.query<{ payment_status: string; account_id: string; waited: number }>(
    'SELECT payment_status, account_id, extract(epoch FROM now() - coalesce(paid_at, created_at))::float8 AS waited FROM orders.purchase WHERE order_id = $1 FOR NO KEY UPDATE',
    [request.orderId],
  )
  if (!order) throw new AppError('NOT_FOUND', `There is no order ${request.orderId}.`)
  if (order.payment_status !== 'paid') {
    throw new AppError('CONFLICT', `Leads are built for paid orders; this one is ${order.payment_status}.`)
  }
  const owed = await itemsWithoutLead(tx, request.orderId)
  const leads = (await readRecords(tx, owed)).filter(isReachable)
  const built = await writeLeads(tx, request, leads)
  const reached = new Set(leads.map(({ itemId }) => itemId))
  const unreachable = owed.filter((itemId) => !reached.has(itemId))
  if (unreachable.length > 0) {
    // The refund comes first: it locks the account before the items, as everything that moves credits does.
    await request.refund(tx, order.account_id, unreachable, 'no_contact')
    await tx.execute('UPDATE orders.item SET has_contact = false WHERE item_id = ANY($1::uuid[])', [unreachable])
  }
  return { built, waitedSeconds: Math.max(0, order.waited) }
}

const isReachable = ({ record: { contact } }: LeadRecord): boolean => contact.ways.length > 0

/** Ids of the items without a lead that should have one, since they have contact data. */
export async function itemsWithoutLead(db: Queryable, orderId: string): Promise<string[]> {
  const rows = await db.query<{ item_id: string }>(
    `SELECT item.item_id FROM orders.item
     WHERE item.order_id = $1 AND item.has_contact AND item.withdrawn_at IS NULL
       AND NOT EXISTS (SELECT FROM orders.lead WHERE lead.item_id = item.item_id)`,
    [orderId],
  )
  return rows.map(({ item_id }) => item_id)
}

/** The current records of these items, in the order of the request. */
export async function readRecords(db: Queryable, itemIds: readonly string[]): Promise<LeadRecord[]> {
  if (itemIds.length === 0) return []
  const companies = await db.query<CompanyLead>(companyRecords, [itemIds])
  const directors = await db.query<DirectorLead>(directorRecords, [itemIds])
  const taxpayers = await db.query<GstLead>(gstRecords, [itemIds])
  return [...companies, ...directors, ...taxpayers].sort((a, b) => a.position - b.position)
}

async function writeLeads(tx: Tx, { orderId, leadSource }: BuildRequest, leads: readonly LeadRecord[]) {
  if (leads.length === 0) return 0
  return tx.execute(
    `INSERT INTO orders.lead (item_id, order_id, position, type, identifier, flat, full_data, registry_run_id)
     SELECT item_id, $1, position, type, identifier, flat, full_data, registry_run_id
     FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::bigint[])
       AS lead (item_id, position, type, identifier, flat, full_data, registry_run_id)`,
    [
      orderId,
      leads.map(({ itemId }) => itemId),
      leads.map(({ position }) => position),
      leads.map(({ type }) => type),
      leads.map(({ identifier }) => identifier),
      leads.map((lead) => JSON.stringify(flatRow(lead, leadSource))),
      leads.map((lead) => JSON.stringify(fullDataOf(lead))),
      leads.map(({ registryRunId }) => registryRunId),
    ],
  )
}
