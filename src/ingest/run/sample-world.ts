/** The sample world: invented records, loaded by runs of their own. */
import type { Queryable } from '../../db/db.ts'

/** Who asked for the runs that loaded it. */
export const sampleRequester = 'sample'

/** Whether records of it are in the registers. */
export async function holdsSample(db: Queryable): Promise<boolean> {
  const [held] = await db.query<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM ingest.run WHERE requested_by = $1 AND status = 'succeeded') AS held`,
    [sampleRequester],
  )
  return held?.held ?? false
}
