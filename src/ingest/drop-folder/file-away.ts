/**
 * Moves the file of an ended run from `taken/` to `done/`, or to `failed/` with the reason beside it. The run's number
 * goes before the name, so that nothing is overwritten. Repeated, it finds the file gone and does nothing.
 */
import { mkdir, readdir, rename, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Queryable } from '../../db/db.ts'
import { finishedStatuses, type RunRecord } from '../runs.ts'
import { parts } from './drop-folder.ts'

export interface WatchedInput {
  readonly source: string
  readonly input: string
}

/** @returns the watched input that the run's file came from, once the run has ended; undefined for any other run. */
export async function fileAway(db: Queryable, runId: number): Promise<WatchedInput | undefined> {
  const [run] = await db.query<Pick<RunRecord, 'source' | 'input' | 'status' | 'error'> & { dropFolder: string }>(
    `SELECT source, input, status, error, drop_folder AS "dropFolder" FROM ingest.run
     WHERE run_id = $1 AND drop_folder IS NOT NULL`,
    [runId],
  )
  if (!run || !finishedStatuses.has(run.status)) return undefined
  const watched = { source: run.source, input: run.dropFolder }
  if (!(await stat(run.input).catch(() => undefined))) return watched
  const place = dirname(run.input)
  const isDone = run.status === 'succeeded' || run.status === 'no_op'
  const target = join(dirname(dirname(place)), isDone ? parts.done : parts.failed)
  const path = join(target, `${runId}-${basename(run.input)}`)
  await mkdir(target, { recursive: true })
  if (!isDone) await writeFile(`${path}.reason.txt`, reasonOf(runId, run))
  await rename(run.input, path)
  if ((await readdir(place)).length === 0) await rmdir(place)
  return watched
}

function reasonOf(runId: number, { status, error }: Pick<RunRecord, 'status' | 'error'>): string {
  const reason = error ? `${error.code}: ${error.message}` : ''
  const head = status === 'discarded' ? `An operator discarded run ${runId}.` : `Run ${runId} failed.`
  return `${head}\n${reason}\nNothing was applied. Mend the file and drop it again; see \`npx panji runs ${runId}\`.\n`
}
