/**
 * Makes records that the CRM acknowledged due again: read and compared by the connector, which writes what differs and nothing
 * else. Run twice, the second finds them waiting.
 */
import type { Queryable } from '../../db/db.ts'

/** All that destination `destinationId` holds; its deliveries stay acknowledged meanwhile. */
export async function sendAllAgain(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET state = 'pending', attempts = 0, next_attempt_at = NULL, updated_at = now()
     WHERE destination_id = $1 AND state = 'acknowledged'`,
    [destinationId],
  )
}

/** Records that somebody deleted in the CRM: what is sent makes them anew, once. */
export async function recreate(db: Queryable, destinationId: string, externalIds: readonly string[]): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET state = 'pending', outcome = NULL, recreate = true, updated_at = now()
     WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND state = 'acknowledged'`,
    [destinationId, externalIds],
  )
}
