/**
 * Makes records due again that a user deleted in the CRM, as their plan says: the next push creates them again, once.
 */
import type { Queryable } from '../../db/db.ts'

export async function recreate(db: Queryable, destinationId: string, externalIds: readonly string[]): Promise<void> {
  await db.execute(
    `UPDATE deliver.record r SET state = 'pending', outcome = NULL, recreate = true, updated_at = now()
     FROM (SELECT destination_id, external_id FROM deliver.record
       WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND state = 'acknowledged'
       -- All writers lock the rows in this order.
       ORDER BY external_id FOR UPDATE) AS gone
     WHERE r.destination_id = gone.destination_id AND r.external_id = gone.external_id`,
    [destinationId, externalIds],
  )
}
