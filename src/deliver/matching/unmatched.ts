/** Leads for which a person said that none of the records that look like them is taken: they are made new and looked for no more. */
import type { Queryable } from '../../db/db.ts'

/** Twice it changes nothing. */
export async function noteUnmatched(
  db: Queryable,
  destinationId: string,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return
  await db.execute(
    `INSERT INTO deliver.unmatched (destination_id, external_id)
     SELECT $1, external_id FROM unnest($2::text[]) AS external_id ORDER BY external_id ON CONFLICT DO NOTHING`,
    [destinationId, externalIds],
  )
}
