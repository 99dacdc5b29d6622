/** Requests a run: writes its row and enqueues its job in the caller's transaction, so that neither exists alone. */
import { sources } from '../../../config/sources/index.ts'
import type { RunMode, Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { hidesSomething, isRemote } from '../../domain/bare-address.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { type ColumnMap, requireColumnMap } from '../column-map.ts'
import { readToday, requireSnapshotDay } from './snapshot-day.ts'

export interface RunRequest {
  readonly source: string
  /**
   * Path, file: or http(s): address. For an address with credentials this is the bare one, and `sealed` the complete
   * one.
   */
  readonly input: string
  readonly sealed?: string
  /** Default: as the source declares. */
  readonly mode?: RunMode
  /**
   * Day that the snapshot describes, YYYY-MM-DD, at most today where it is published; default: today there, by the
   * database's clock.
   */
  readonly asOf?: string
  /** Ingest even if the same content was ingested before. */
  readonly force?: boolean
  /** Column of the file → field of the source, for headers that the source does not know. */
  readonly columns?: ColumnMap
  /** Only reports what it would do. */
  readonly dryRun?: boolean
  readonly requestedBy?: string
  /** The watched folder or pattern that the input came from, as its schedule names it. */
  readonly dropFolder?: string
  /** For an upload or an address; other paths can only be given at a terminal. */
  readonly overHttp?: boolean
}

/** @throws AppError BAD_REQUEST listing the sources. */
export function sourceNamed(name: string): Source {
  const source = sources.find((candidate) => candidate.name === name)
  if (source) return source
  const known = sources.map((candidate) => candidate.name).join(', ')
  throw new AppError('BAD_REQUEST', `There is no source ${JSON.stringify(name)}. Sources: ${known}.`)
}

export async function requestRun(
  tx: Queryable,
  queue: JobSender,
  request: RunRequest,
): Promise<{ readonly runId: number }> {
  const source = sourceNamed(request.source)
  const { asOf } = request
  if (asOf !== undefined) await requireSnapshotDay(tx, source, asOf)
  const { columns = {} } = request
  requireColumnMap(source, columns)
  if (request.input.trim() === '') throw new AppError('BAD_REQUEST', 'Name a file or an address to ingest.')
  if (isRemote(request.input) && hidesSomething(request.input) && request.sealed === undefined)
    throw new Error('an address with credentials must be sealed before a run of it is written')
  const asked = [
    source.name,
    request.input,
    request.mode ?? source.defaultMode,
    asOf ?? (await readToday(tx, source)),
    request.force ?? false,
    request.requestedBy ?? 'operator',
  ]
  const columnMap = Object.keys(columns).length > 0 ? JSON.stringify(columns) : null
  const kept = [request.sealed ?? null, request.dryRun ?? false, columnMap]
  const [run] = request.overHttp
    ? await tx.query<{ runId: number }>(
        'SELECT ingest.ask_run_over_http($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) AS "runId"',
        [...asked, ...kept],
      )
    : await tx.query<{ runId: number }>(
        'SELECT ingest.ask_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb) AS "runId"',
        [...[...asked, request.dropFolder ?? null, ...kept]],
      )
  if (!run) throw new Error('the run was not written')
  await queue.send(tx, queues.ingestSnapshot, { runId: run.runId }, { singletonKey: source.name })
  return run
}
