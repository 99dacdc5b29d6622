/**
 * Requests another run with the same input: a reviewed dry run now for real, or a failed run with the correct source.
 * This keeps an upload for another week; an address is fetched again.
 */
import { basename, dirname } from 'node:path'
import type { Queryable } from '../../db/db.ts'
import { isRemote } from '../../domain/bare-address.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { filedAs } from '../input/drop-folder/file-away.ts'
import { isUpload } from '../input/drop-folder/spool.ts'
import { takeUpload } from '../input/uploads.ts'
import { requestRun } from '../run/request-run.ts'
import { getRun, type RunRecord } from '../run/runs.ts'

export interface RepeatRequest {
  readonly runId: number
  readonly dataDir: string
  /** If different from the run's. */
  readonly source?: string | undefined
  readonly dryRun: boolean
  readonly requestedBy: string
}

/**
 * @throws AppError NOT_FOUND for a run or an upload that is gone, CONFLICT for a run whose input cannot be read again.
 */
export async function repeatRun(tx: Queryable, queue: JobSender, request: RepeatRequest): Promise<{ runId: number }> {
  const run = await getRun(tx, request.runId)
  if (run.status !== 'previewed' && run.status !== 'failed') {
    throw new AppError(
      'CONFLICT',
      `Import ${run.run_id} is ${run.status}; a dry run is applied, and a failed one repeated.`,
    )
  }
  const source = request.source ?? run.source
  const [kept] = await tx.query<Kept>(
    'SELECT sealed_input AS sealed, drop_folder AS "dropFolder" FROM ingest.run WHERE run_id = $1',
    [run.run_id],
  )
  return requestRun(tx, queue, {
    ...{ source, input: await inputAgain(run, request.dataDir, kept?.dropFolder ?? null), dryRun: request.dryRun },
    ...{ asOf: run.as_of, requestedBy: request.requestedBy, overHttp: true },
    ...(kept?.sealed && { sealed: kept.sealed }),
    // Options for another source's file do not apply to this one's.
    ...(source === run.source && { mode: run.mode, force: run.force, columns: run.column_map ?? {} }),
  })
}

interface Kept {
  readonly sealed: string | null
  readonly dropFolder: string | null
}

async function inputAgain(run: RunRecord, dataDir: string, dropFolder: string | null): Promise<string> {
  const { input } = run
  if (isRemote(input)) return input
  if (isUpload(dataDir, input)) return takeUpload(dataDir, basename(dirname(input)))
  throw new AppError('CONFLICT', visible(elsewhere(run, dataDir, dropFolder)))
}

/** Files of this machine are not read for a request. */
function elsewhere(run: RunRecord, dataDir: string, dropFolder: string | null): string {
  if (dropFolder !== null)
    return `Its file was dropped into ${dropFolder}, and is kept as ${filedAs(dataDir, run)}. Fix it and drop it again.`
  if (run.requested_by === 'schedule')
    return `Its file is read by a schedule from ${run.input}. Run the schedule again: npx panji schedule run <name>.`
  return 'Its file was named at the command line. Ingest it there: npx panji ingest <source> <file>.'
}
