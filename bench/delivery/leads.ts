/** Paid orders with built leads, many at a time. */
import type { Db } from '../../src/db/db.ts'
import { gstLead } from '../../test/conformance/sample-leads.ts'

/** @returns the order. */
export async function insertLeads(
  db: Db,
  accountId: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<string> {
  const leads = Array.from({ length: count }, (_, n) => gstLead(from + n, { GSTIN: gstinOf(from + n) }))
  return db.transaction(async (tx) => {
    const [order] = await tx.query<{ id: string }>(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'Many leads', 'credits', 'completed', 'paid', $2::int, $2::int) RETURNING order_id AS id`,
      [accountId, count],
    )
    const numbers = leads.map((_, n) => gstinOf(from + n))
    await tx.execute(
      `WITH item AS (
         INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
         SELECT $1, place, 'gst', gstin, 'Mandovi Traders', true FROM unnest($2::text[]) WITH ORDINALITY AS t (gstin, place)
         RETURNING item_id, position
       )
       INSERT INTO orders.lead (item_id, order_id, position, type, identifier, flat, full_data)
       SELECT i.item_id, $1, i.position, 'gst', t.gstin, t.flat, '{}'
       FROM item i JOIN unnest($2::text[], $3::jsonb[]) WITH ORDINALITY AS t (gstin, flat, place) ON t.place = i.position`,
      [order?.id, numbers, leads.map(({ row }) => JSON.stringify(row))],
    )
    return order?.id ?? ''
  })
}

const gstinOf = (n: number) =>
  `30AAAC${String.fromCharCode(65 + Math.floor(n / 10_000))}${String(n % 10_000).padStart(4, '0')}K1Z5`
