/**
 * The overrides that a standing order sets for single fields of a destination (owner, list, tags) take precedence
 * over the destination's own mapping, for the leads that the standing order bought.
 */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { type FieldMapping, withOverrides } from './field-mapping.ts'
import type { Turns } from './turns.ts'

/** The leads with these overrides, and the standing orders that bought them. */
export async function withOrderOverrides<L extends OutgoingLead>(
  db: Queryable,
  { destinationId, mapping }: { readonly destinationId: string; readonly mapping: readonly FieldMapping[] },
  leads: readonly L[],
  turns: Turns,
): Promise<L[]> {
  const own = await readOwn(db, destinationId, leads)
  if (own.size === 0) return withOverrides(leads, mapping, turns)
  const outgoing: L[] = []
  for (const lead of leads)
    outgoing.push(...(await withOverrides([lead], laidOver(mapping, own.get(lead.itemId) ?? []), turns)))
  return outgoing
}

const laidOver = (mapping: readonly FieldMapping[], own: readonly FieldMapping[]): readonly FieldMapping[] => [
  ...mapping.filter(({ field }) => !own.some((each) => each.field === field)),
  ...own,
]

async function readOwn(
  db: Queryable,
  destinationId: string,
  leads: readonly OutgoingLead[],
): Promise<ReadonlyMap<string, readonly FieldMapping[]>> {
  const rows = await db.query<{ itemId: string; fields: readonly FieldMapping[] }>(
    `SELECT item.item_id AS "itemId", s.mappings -> $2::text AS fields
     FROM orders.item JOIN orders.purchase USING (order_id)
     JOIN orders.standing_run run ON run.run_id = purchase.standing_run_id JOIN orders.standing_order s USING (standing_order_id)
     WHERE item.item_id = ANY ($1::uuid[]) AND s.mappings ? $2::text`,
    [leads.map(({ itemId }) => itemId), destinationId],
  )
  return new Map(rows.map(({ itemId, fields }) => [itemId, fields]))
}
