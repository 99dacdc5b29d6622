/** Doctor's checks of scheduled inputs, whose failures no one was watching. */
import { type FetchBounds, fetchBounds } from '../../../config/input-bounds.ts'
import type { Queryable } from '../../db/db.ts'
import { counted } from '../../domain/counted.ts'
import { quoted } from '../../domain/visible.ts'
import { type DropFolder, listFolder, readDropFolder } from '../../ingest/input/drop-folder/drop-folder.ts'
import { spoolRoot } from '../../ingest/input/drop-folder/spool.ts'
import { withWatchedFolder } from '../../ingest/input/drop-folder/watched-folder.ts'
import { sourceNamed } from '../../ingest/run/request-run.ts'
import { readToday } from '../../ingest/run/snapshot-day.ts'
import { listSchedules } from '../../queue/schedule/schedules.ts'

interface Verdict {
  readonly ok: boolean
  readonly detail: string
}

/**
 * The newest run of each scheduled input; one that failed or was stale left its source unchanged. Inputs that are no
 * longer scheduled are ignored, because nothing could be done about them.
 */
export async function scheduledRuns(db: Queryable): Promise<Verdict> {
  const failed = await db.query<{ run_id: number; source: string; skipped: boolean; message: string | null }>(
    `SELECT run_id, source, skipped, error ->> 'message' AS message
     FROM (SELECT DISTINCT ON (source, coalesce(drop_folder, input), sealed_input) run_id, source, status, error,
             status = 'succeeded' AND skipped > 0 AND skipped = rows_read - rejected AS skipped
           FROM ingest.run WHERE requested_by = 'schedule' AND status IN ('succeeded', 'no_op', 'failed')
             AND EXISTS (SELECT FROM runtime.schedule s
               WHERE s.payload ->> 'source' = source AND s.payload ->> 'input' = coalesce(drop_folder, run.input))
           ORDER BY source, coalesce(drop_folder, input), sealed_input, run_id DESC) newest
     WHERE status = 'failed' OR skipped ORDER BY run_id`,
  )
  const reported = failed.map(({ run_id, source, skipped, message }) =>
    skipped
      ? `run ${run_id} of ${source} ingested nothing: the register is complete as of a later day, see \`panji scope list ${source}\``
      : `run ${run_id} of ${source} failed: ${message ?? 'no reason'}`,
  )
  return { ok: failed.length === 0, detail: reported.join('; ') || 'the newest run of each scheduled input succeeded' }
}

/** The settings that matter to watched folders. */
export interface WatchedSettings {
  readonly dataDir: string
  readonly bounds: Partial<FetchBounds>
}

/** Every watched folder must exist; waiting files are counted, and skipped ones are named. */
export async function watchedFolders(db: Queryable, settings: WatchedSettings): Promise<Verdict> {
  const found: Verdict[] = []
  for (const { name, job, payload } of await listSchedules(db)) {
    if (job !== 'fetch-source') continue
    const drop = await readDropFolder(String(payload['input']))
    if (!drop) continue
    const today = await readToday(db, sourceNamed(String(payload['source'])))
    const verdict = await folderVerdict(drop, today, settings).catch((error: unknown) => ({
      ok: false,
      detail: error instanceof Error ? error.message : String(error),
    }))
    found.push({ ok: verdict.ok, detail: `${name}: ${verdict.detail}` })
  }
  return { ok: found.every(({ ok }) => ok), detail: found.map(({ detail }) => detail).join('; ') || 'none' }
}

async function folderVerdict(drop: DropFolder, today: string, { dataDir, bounds }: WatchedSettings): Promise<Verdict> {
  const { fileBytesMax } = { ...fetchBounds, ...bounds }
  return withWatchedFolder(drop.folder, async (held) => {
    const { files, refused } = await listFolder(drop, held, { fileBytesMax, today })
    const faults = [
      ...refused.slice(0, namesMax).map((each) => `${quoted(each.name)} is skipped: ${each.reason}`),
      ...(refused.length > namesMax ? [`${refused.length - namesMax} more are skipped`] : []),
    ]
    const waiting = `${counted(files.length, 'file')} to ingest in ${drop.folder}, ingested files are in ${spoolRoot(dataDir)}`
    return { ok: faults.length === 0, detail: [waiting, ...faults].join('; ') }
  })
}

const namesMax = 20
