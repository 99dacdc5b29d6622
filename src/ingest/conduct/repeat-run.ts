/**
 * Requests another run with the same input: a reviewed dry run now for real, or a failed run with the correct source.
 * This keeps an upload for another week; an address is fetched again.
 */
import { basename, dirname } from 'node:path'
import type { Queryable } from '../../db/db.ts'
import { isRemote } from '../../domain/bare-address.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { isUpload } from '../input/drop-folder/spool.ts'
import { takeUpload } from '../input/uploads.ts'
import { requestRun } from '../run/request-run.ts'
import { getRun } from '../run/runs.ts'

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
  const [sealed] = await tx.query<{ input: string | null }>(
    'SELECT sealed_input AS input FROM ingest.run WHERE run_id = $1',
    [run.run_id],
  )
  return requestRun(tx, queue, {
    ...{ source, input: await inputAgain(run.input, request.dataDir), dryRun: request.dryRun },
    ...{ asOf: run.as_of, requestedBy: request.requestedBy, overHttp: true },
    ...(sealed?.input && { sealed: sealed.input }),
    // Options for another source's file do not apply to this one's.
    ...(source === run.source && { mode: run.mode, force: run.force, columns: run.column_map ?? {} }),
  })
}

async function inputAgain(input: string, dataDir: string): Promise<string> {
  if (isRemote(input)) return input
  if (isUpload(dataDir, input)) return takeUpload(dataDir, basename(dirname(input)))
  throw new AppError(
    'CONFLICT',
    'Its file was named at the command line. Ingest it there: npx panji ingest <source> <file>.',
  )
}
