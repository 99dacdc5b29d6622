/**
 * Deliveries, mostly rejected ones, as one CSV for fixing them: the lead's columns as sent, then the CRM's answer.
 * Data of people who objected is left out. Cells are guarded against formulas; the columns are those of all occurring types, each once.
 */
import { stringify } from 'csv-stringify/sync'
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import type { Db } from '../../db/db.ts'
import { guarded } from '../../domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import type { Delivery } from './list-deliveries.ts'

const words = [
  ...['delivery_id', 'order_id', 'destination_id', 'destination_name'],
  ...['record', 'code', 'field', 'message'],
] as const

export async function deliveriesCsv(db: Db, deliveries: readonly Delivery[]): Promise<string> {
  const stored = await db.query<{ deliveryId: string; type: EntityType; row: LeadRow }>(
    `SELECT d.delivery_id AS "deliveryId", l.type,
       deliver.payload(coalesce(CASE WHEN r.item_id = l.item_id THEN r.reading END, l.flat), r.fixes) AS row
     FROM deliver.delivery d JOIN orders.lead l ON l.item_id = d.item_id
     JOIN deliver.record r ON r.destination_id = d.destination_id AND r.external_id = d.external_id WHERE d.delivery_id = ANY($1::uuid[])`,
    [deliveries.map(({ delivery_id }) => delivery_id)],
  )
  const leads = await withholdFromLeads(db, stored)
  const byId = new Map(leads.map((lead) => [lead.deliveryId, lead.row]))
  const present = entityTypes.filter((type) => leads.some((lead) => lead.type === type))
  const columns = [...new Set(present.flatMap((type) => leadColumns[type].map(({ name }) => name)))]
  const lines = deliveries.map((delivery) => {
    const row = byId.get(delivery.delivery_id)
    return [...columns.map((name) => row?.[name]), ...words.map((name) => delivery[name]), delivery.outcome].map(
      (cell) => guarded(String(cell ?? '')),
    )
  })
  return stringify([[...columns, ...words, 'outcome'], ...lines], {
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
  })
}
