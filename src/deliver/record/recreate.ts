/**
 * Makes records due again that a user deleted in the CRM, as their plan says: the next push creates them again, once.
 */
import type { Queryable } from '../../db/db.ts'

export async function recreate(db: Queryable, destinationId: string, externalIds: readonly string[]): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET state = 'pending', outcome = NULL, recreate = true, updated_at = now()
     WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND state = 'acknowledged'`,
    [destinationId, externalIds],
  )
}
