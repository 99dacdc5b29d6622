/**
 * Erases stored data of people who objected; it has been withheld since the objection. This covers contacts, history
 * and rejected rows of imports since the last erasure and, for new entries, their data in frozen leads and deliveries.
 * While the list has an entry whose key is lost, nothing is erased, since it is unknown whom the entry means.
 * Idempotent.
 */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Db, Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { deadLetterQueue, queues } from '../queue/queues.ts'
import { eraseFromDeliveries } from './erase-from-deliveries.ts'
import { withholdFromLeads } from './withhold-leads.ts'

interface StoredLead {
  readonly itemId: string
  readonly type: EntityType
  readonly row: LeadRow
  readonly fullData: unknown
}

/**
 * Runs as the worker.
 * @param again also erases what an earlier erasure has covered, for a database restored from a backup.
 */
export async function eraseObjected(db: Db, { again = false } = {}): Promise<void> {
  if (again) await db.execute('UPDATE access.suppression SET erased_through = NULL')
  const [list] = await db.query<{ entries: number; lost: number; fresh: number; since: number; ids: string[] }>(
    `SELECT count(*) AS entries, count(*) FILTER (WHERE key_id <> access.suppression_key_id()) AS lost,
            count(*) FILTER (WHERE erased_through IS NULL) AS fresh, coalesce(min(coalesce(erased_through, 0)), 0) AS since,
            array_agg(suppression_id) AS ids
     FROM access.suppression`,
  )
  if (!list || list.entries === 0 || list.lost > 0) return
  // A run in progress may still write rows with a lower id than the last run's, and so may a failed one with a job.
  const [runs] = await db.query<{ through: number }>(
    `SELECT coalesce(min(run_id) FILTER (WHERE finished_at IS NULL OR status = 'failed' AND run_id IN (
       SELECT (data ->> 'runId')::bigint FROM pgboss.job
       WHERE $1 IN (name, source_name) AND name IN ($1, $2) AND state IN ('created', 'retry', 'active')
     )) - 1, max(run_id), 0) AS through FROM ingest.run`,
    [queues.ingestSnapshot.name, deadLetterQueue],
  )
  await db.execute('SELECT orders.erase_objected_leads()')
  if (list.fresh > 0) {
    await eraseFromLeads(db)
    await eraseFromDeliveries(db)
  }
  await db.execute('SELECT registry.erase_objected($1)', [list.since])
  await db.execute('UPDATE access.suppression SET erased_through = $1 WHERE suppression_id = ANY ($2::uuid[])', [
    runs?.through ?? 0,
    list.ids,
  ])
}

/** Leads per statement: a lead contains a company with its board. */
const leadsAtOnce = 500

async function eraseFromLeads(db: Queryable): Promise<void> {
  let after: string | undefined
  for (;;) {
    const leads: StoredLead[] = await db.query<StoredLead>(
      `SELECT item_id AS "itemId", type, flat AS row, full_data AS "fullData" FROM orders.lead
       WHERE $1::uuid IS NULL OR item_id > $1 ORDER BY item_id LIMIT $2`,
      [after ?? null, leadsAtOnce],
    )
    const stored = new Map(leads.map((lead) => [lead.itemId, lead]))
    const kept = await withholdFromLeads(db, leads)
    const erased = kept.filter((lead) => JSON.stringify(lead) !== JSON.stringify(stored.get(lead.itemId)))
    if (erased.length > 0) await writeLeads(db, erased)
    after = leads.at(-1)?.itemId
    if (after === undefined || leads.length < leadsAtOnce) return
  }
}

/**
 * Also clears what a delivery refreshed of such a lead, what was fixed in its erased columns, and what was sent; the
 * next delivery reads the register.
 */
async function writeLeads(db: Queryable, leads: readonly StoredLead[]): Promise<void> {
  const ids = leads.map(({ itemId }) => itemId)
  await db.execute(
    `UPDATE orders.lead AS l SET flat = e.flat, full_data = e.full_data
     FROM unnest($1::uuid[], $2::jsonb[], $3::jsonb[]) AS e (item_id, flat, full_data) WHERE l.item_id = e.item_id`,
    [ids, leads.map(({ row }) => JSON.stringify(row)), leads.map(({ fullData }) => JSON.stringify(fullData))],
  )
  await db.execute(
    `UPDATE deliver.record r SET reading = NULL, fixes = (
       SELECT jsonb_object_agg(key, value) FROM jsonb_each(r.fixes)
       WHERE coalesce(l.flat -> key, 'null') = value -> 'was')
     FROM orders.lead l JOIN (SELECT destination_id, external_id, item_id FROM deliver.record
       WHERE item_id = ANY ($1) AND (reading IS NOT NULL OR fixes IS NOT NULL)
       -- All writers lock the rows in this order.
       ORDER BY destination_id, external_id FOR UPDATE) AS held ON held.item_id = l.item_id
     WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id`,
    [ids],
  )
  await db.execute(
    `DELETE FROM deliver.attempt a USING orders.item i
     WHERE i.item_id = ANY ($1) AND a.external_id = i.type || ':' || i.identifier`,
    [ids],
  )
}
