/** The sample world: invented records, loaded by runs of their own. */
import type { Queryable } from '../../db/db.ts'

/** Who asked for the runs that loaded it. */
export const sampleRequester = 'sample'

/** Whether records of it are in the registers, or in that of a source. */
export async function holdsSample(db: Queryable, source: string | null = null): Promise<boolean> {
  const [held] = await db.query<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM ingest.run WHERE requested_by = $1 AND status = 'succeeded'
                      AND ($2::text IS NULL OR source = $2)) AS held`,
    [sampleRequester, source],
  )
  return held?.held ?? false
}
