/** A register's version is incremented by every change; cached counts are valid for one version. */
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'

/** @param runId null if the change was not made by a run. */
export async function raiseVersion(tx: Tx, source: Pick<Source, 'entity'>, runId: number | null): Promise<void> {
  await tx.execute(
    `INSERT INTO registry.version AS v (entity, version, run_id) VALUES ($1, 1, $2)
     ON CONFLICT (entity) DO UPDATE SET version = v.version + 1, run_id = coalesce(excluded.run_id, v.run_id), changed_at = now()`,
    [source.entity, runId],
  )
}
