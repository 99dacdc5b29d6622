/** Makes records due anew that somebody deleted in the CRM, as a plan of theirs says: what is sent makes them again, once. */
import type { Queryable } from '../../db/db.ts'

export async function recreate(db: Queryable, destinationId: string, externalIds: readonly string[]): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET state = 'pending', outcome = NULL, recreate = true, updated_at = now()
     WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND state = 'acknowledged'`,
    [destinationId, externalIds],
  )
}
