/** The sample world: invented records, loaded by separate runs. */
import type { Queryable } from '../../db/db.ts'

/** The requester of the runs that loaded it. */
export const sampleRequester = 'sample'

/** Whether the registers, or that of one source, contain sample records. */
export async function holdsSample(db: Queryable, source: string | null = null): Promise<boolean> {
  const [held] = await db.query<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM ingest.run WHERE requested_by = $1 AND status = 'succeeded'
                      AND ($2::text IS NULL OR source = $2)) AS held`,
    [sampleRequester, source],
  )
  return held?.held ?? false
}
