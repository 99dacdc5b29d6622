/** What `panji doctor` says of scheduled inputs: nobody was watching when their runs failed. */
import type { Queryable } from '../../db/db.ts'
import { look, readDropFolder } from '../../ingest/drop-folder/drop-folder.ts'
import { listSchedules } from '../../queue/schedule/schedules.ts'

interface Verdict {
  readonly ok: boolean
  readonly detail: string
}

/** The newest run of each scheduled input; one that failed leaves its source at the snapshot before. */
export async function scheduledRuns(db: Queryable): Promise<Verdict> {
  const failed = await db.query<{ run_id: number; source: string; message: string | null }>(
    `SELECT run_id, source, error ->> 'message' AS message
     FROM (SELECT DISTINCT ON (source, coalesce(drop_folder, input)) run_id, source, status, error
           FROM ingest.run WHERE requested_by = 'schedule' AND status IN ('succeeded', 'no_op', 'failed')
           ORDER BY source, coalesce(drop_folder, input), run_id DESC) newest
     WHERE status = 'failed' ORDER BY run_id`,
  )
  const told = failed.map(
    ({ run_id, source, message }) => `run ${run_id} of ${source} failed: ${message ?? 'no reason'}`,
  )
  return { ok: failed.length === 0, detail: told.join('; ') || 'the newest run of each scheduled input ended well' }
}

/** Every watched folder must be there; the files that wait in it are counted. */
export async function watchedFolders(db: Queryable): Promise<Verdict> {
  const found: Verdict[] = []
  for (const { name, job, payload } of await listSchedules(db)) {
    if (job !== 'fetch-source') continue
    const drop = await readDropFolder(String(payload['input']))
    if (!drop) continue
    found.push(
      await look(drop).then(
        (files) => ({ ok: true, detail: `${name}: ${files.length} file(s) wait in ${drop.folder}` }),
        (error: unknown) => ({
          ok: false,
          detail: `${name}: ${error instanceof Error ? error.message : String(error)}`,
        }),
      ),
    )
  }
  return { ok: found.every(({ ok }) => ok), detail: found.map(({ detail }) => detail).join('; ') || 'none' }
}
