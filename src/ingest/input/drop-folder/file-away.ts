/**
 * Moves the file of an ended run within the spool from `taken` to `done`, or to `failed` with the reason beside it. The
 * run's number goes before the name, so that nothing is overwritten. Repeated, it finds the file gone and does nothing.
 */
import { constants } from 'node:fs'
import { lstat, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Queryable } from '../../../db/db.ts'
import type { RunRecord } from '../../run/runs.ts'
import { isFinished } from '../../run/transitions.ts'
import { isTaken, openSpool } from './spool.ts'
import { forgetTaken } from './take-in.ts'

export interface WatchedInput {
  readonly source: string
  readonly input: string
}

type Ended = Pick<RunRecord, 'source' | 'input' | 'status' | 'error' | 'rows_read' | 'rejected'>

/** @returns the watched input that the run's file came from, once the run has ended; undefined for any other run. */
export async function fileAway(db: Queryable, dataDir: string, runId: number): Promise<WatchedInput | undefined> {
  const [run] = await db.query<Ended & { dropFolder: string }>(
    `SELECT source, input, status, error, rows_read, rejected, drop_folder AS "dropFolder" FROM ingest.run
     WHERE run_id = $1 AND drop_folder IS NOT NULL`,
    [runId],
  )
  if (!run || !isFinished(run.status)) return undefined
  const watched = { source: run.source, input: run.dropFolder }
  if (!isTaken(dataDir, run.source, run.input)) return watched
  const spool = await openSpool(dataDir, run.source)
  const isDone = run.status === 'succeeded' || run.status === 'no_op'
  const path = join(isDone ? spool.done : spool.failed, `${runId}-${basename(run.input)}`)
  if (await lstat(run.input).catch(() => undefined)) {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
    const flag = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    if (!isDone) await writeFile(`${path}.reason.txt`, reasonOf(runId, run), { mode: 0o600, flag })
    await rename(run.input, path)
  }
  await forgetTaken(run.input)
  return watched
}

/** Codes and counts alone: a file is copied about more easily than a database, and what it quotes with it. */
function reasonOf(runId: number, { status, error, rows_read: read, rejected }: Ended): string {
  const decided = status === 'discarded' || status === 'cancelled'
  const head = decided ? `An operator ${status} run ${runId}.` : `Run ${runId} failed: ${error?.code}`
  const remedy = `Nothing was applied. \`npx panji runs ${runId}\` says why; fix the file and drop it again.`
  return `${head}\nRows read: ${read}. Rows rejected: ${rejected}.\n${remedy}\n`
}
