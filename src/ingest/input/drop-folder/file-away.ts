/**
 * Moves the file of a finished run within the spool from `taken` to `done`, or to `failed` with the reason next to it.
 * The run's number is prepended to the name, so that nothing is overwritten. Idempotent.
 */
import { constants } from 'node:fs'
import { lstat, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Queryable } from '../../../db/db.ts'
import type { RunRecord } from '../../run/runs.ts'
import { isFinished } from '../../run/transitions.ts'
import { isSpooled, openSpool, spoolOf } from './spool.ts'
import { removeSpooled } from './spool-file.ts'

export interface WatchedInput {
  readonly source: string
  readonly input: string
  /** Of the next files; default: as the source declares. */
  readonly mode?: RunRecord['mode']
}

type Ended = Pick<RunRecord, 'source' | 'input' | 'status' | 'error' | 'rows_read' | 'rejected'>

/** @returns the watched input that the run's file came from, once the run has finished; undefined for any other run. */
export async function fileAway(db: Queryable, dataDir: string, runId: number): Promise<WatchedInput | undefined> {
  // The next file is read as its schedule says by now, which may have changed since this one was taken.
  const [run] = await db.query<Ended & { dropFolder: string; mode: RunRecord['mode'] | null }>(
    `SELECT source, input, status, error, rows_read, rejected, drop_folder AS "dropFolder",
       CASE WHEN schedule.payload IS NULL THEN mode ELSE schedule.payload ->> 'mode' END AS mode
     FROM ingest.run
     LEFT JOIN LATERAL (SELECT payload FROM runtime.schedule
       WHERE job = 'fetch-source' AND payload ->> 'source' = source AND payload ->> 'input' = drop_folder
       ORDER BY name LIMIT 1) schedule ON true
     WHERE run_id = $1 AND drop_folder IS NOT NULL`,
    [runId],
  )
  if (!run || !isFinished(run.status)) return undefined
  const watched = { source: run.source, input: run.dropFolder, ...(run.mode && { mode: run.mode }) }
  if (!isSpooled(dataDir, run.source, run.input)) return watched
  await openSpool(dataDir, run.source)
  const path = filedAs(dataDir, { run_id: runId, ...run })
  if (await lstat(run.input).catch(() => undefined)) {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
    const flag = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    if (!isDone(run)) await writeFile(`${path}.reason.txt`, reasonOf(runId, run), { mode: 0o600, flag })
    await rename(run.input, path)
  }
  await removeSpooled(run.input)
  return watched
}

/** Where the file of a finished run is. */
export function filedAs(dataDir: string, run: Pick<RunRecord, 'run_id' | 'source' | 'input' | 'status'>): string {
  const { done, failed } = spoolOf(dataDir, run.source)
  return join(isDone(run) ? done : failed, `${run.run_id}-${basename(run.input)}`)
}

const isDone = ({ status }: Pick<RunRecord, 'status'>): boolean => status === 'succeeded' || status === 'no_op'

/** Codes and counts only: a file is copied more easily than a database, and with it whatever it quotes. */
function reasonOf(runId: number, { status, error, rows_read: read, rejected }: Ended): string {
  const decided = status === 'discarded' || status === 'cancelled'
  const head = decided ? `An operator ${status} run ${runId}.` : `Run ${runId} failed: ${error?.code}`
  const remedy = `Nothing was applied. \`npx panji runs ${runId}\` says why; fix the file and drop it again.`
  return `${head}\nRows read: ${read}. Rows rejected: ${rejected}.\n${remedy}\n`
}
