/**
 * Requests the undo of a run: rejected at once if impossible, else the new run and its job are written in one
 * transaction. The conditions are checked again when that run executes, which undoes the same runs or none.
 */

import { sources } from '../../../config/sources/index.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { findOverlaying } from '../merge/statements/undo.ts'
import { getRun, type RunRecord } from '../run/runs.ts'
import { namedRuns } from '../run/turns.ts'

export interface UndoRequest {
  readonly runId: number
  /** Also undo later runs of the source. */
  readonly through: boolean
  readonly reason: string
  readonly requestedBy: string
  /** The runs that it would undo, as they were shown; by default, those of the time of the request. */
  readonly runs?: readonly number[] | undefined
  /** Called in the transaction, for the caller to record the request there. */
  readonly acted?: (tx: Tx, undoRunId: number) => Promise<void>
}

/** @throws AppError NOT_FOUND, CONFLICT, RUN_OVERTAKEN, HISTORY_NOT_RETAINED */
export async function requestUndo(db: Db, queue: JobSender, request: UndoRequest): Promise<RunRecord> {
  const { runId, through, reason, requestedBy, runs } = request
  const undoRunId = await db.transaction(async (tx) => {
    const target = await getRun(tx, runId)
    const { undoes, asOf } = await runsToUndo(tx, target, through, runs)
    const [run] = await tx.query<{ run_id: number | null }>('SELECT ingest.ask_undo($1, $2, $3, $4) AS run_id', [
      ...[runId, asOf, requestedBy, JSON.stringify({ run_id: runId, through, reason, runs: undoes })],
    ])
    if (!run?.run_id) throw new Error('the run was not written')
    await queue.send(tx, queues.ingestSnapshot, { runId: run.run_id }, { singletonKey: target.source })
    await request.acted?.(tx, run.run_id)
    return run.run_id
  })
  return getRun(db, undoRunId)
}

/**
 * @param shown refuses if it would undo any others.
 * @returns the runs to undo, newest first, and the latest day among them.
 */
export async function runsToUndo(
  tx: Queryable,
  target: RunRecord,
  through: boolean,
  shown?: readonly number[],
): Promise<{ readonly undoes: readonly number[]; readonly asOf: string }> {
  refuseUnlessApplied(target)
  const later = await tx.query<Applied>(
    sql`SELECT run_id, as_of, started_at FROM ingest.run r
     WHERE source = $1 AND status = 'succeeded' AND undo IS NULL AND undone_by IS NULL
       AND r.turn > (SELECT t.turn FROM ingest.run t WHERE t.run_id = $2)
     ORDER BY r.turn DESC`,
    [target.source, target.run_id],
  )
  const undone = [...(through ? later : []), target]
  if (shown) refuseOthers(shown, undone)
  await requireHistory(tx, undone)
  const source = sources.find(({ name }) => name === target.source)
  if (!source) throw new AppError('CONFLICT', `${target.source} is no longer a source.`)
  if (!through && later.length > 0) await refuseOverlaid(tx, source, target)
  const days = undone.map(({ as_of }) => as_of).toSorted()
  return { undoes: undone.map(({ run_id }) => run_id), asOf: days.at(-1) ?? target.as_of }
}

function refuseUnlessApplied(run: RunRecord): void {
  const { run_id, status, undo, undone_by } = run
  if (undo) {
    throw new AppError(
      'CONFLICT',
      `Import ${run_id} undid import ${undo.run_id}. Import the file of that one again, with \`panji ingest … --force\`, instead of undoing that.`,
    )
  }
  if (undone_by !== null) throw new AppError('CONFLICT', `Import ${run_id} was undone already, by import ${undone_by}.`)
  if (status !== 'succeeded') {
    throw new AppError(
      'CONFLICT',
      `Import ${run_id} is ${status}; only one that was applied can be undone.${insteadOf(run)}`,
    )
  }
}

function refuseOthers(shown: readonly number[], found: readonly Applied[]): void {
  const changed = [
    ...found.filter(({ run_id }) => !shown.includes(run_id)).map(({ run_id }) => run_id),
    ...shown.filter((id) => found.every(({ run_id }) => run_id !== id)),
  ]
  if (changed.length === 0) return
  const wanted = namedRuns(shown.map((run_id) => ({ run_id })))
  throw new AppError(
    'RUN_OVERTAKEN',
    `Nothing was undone: ${wanted} ${shown.length === 1 ? 'was' : 'were'} to be undone, but it would be ${namedRuns(found)} now. Request the undo again.`,
    { extra: { runs: changed } },
  )
}

function insteadOf({ source, mode, status }: RunRecord): string {
  if (status === 'needs_approval') return ' Discard it.'
  // It may only have set the day of what it covers, which then skips files of earlier days.
  if (status === 'no_op' && mode === 'snapshot')
    return ` It wrote no record; where its day was wrong, lower it with \`panji scope lower ${source}\`.`
  return ''
}

type Applied = Pick<RunRecord, 'run_id' | 'as_of' | 'started_at'>

/**
 * What was thinned out of the history cannot be restored. A run that began since then has all of its changes, whatever
 * its day.
 */
async function requireHistory(tx: Queryable, runs: readonly Applied[]): Promise<void> {
  const [kept] = await tx.query<{ from: string; since: Date }>(
    'SELECT retained_from AS from, pruned_at AS since FROM ingest.history_retention',
  )
  const isWhole = ({ as_of, started_at }: Applied) =>
    !kept || as_of >= kept.from || (started_at !== null && started_at > kept.since)
  if (!kept || runs.every(isWhole)) return
  throw new AppError(
    'HISTORY_NOT_RETAINED',
    `History is kept from ${kept.from} on; the changes of an import for an earlier day were thinned out and cannot be restored.`,
    {
      extra: { retained_from: kept.from },
    },
  )
}

const namedMax = 20

async function refuseOverlaid(tx: Queryable, source: Source, target: RunRecord): Promise<void> {
  const overlaying = await tx.query<{ run_id: number; record: string }>(findOverlaying(source), [
    ...[target.run_id, namedMax],
  ])
  const [first] = overlaying
  if (!first) return
  throw new AppError(
    'RUN_OVERTAKEN',
    `Since import ${target.run_id}, ${namedRuns(overlaying)} of ${source.name} changed or confirmed the same records, including ${first.record}. Undo them first, or all that came after with it (--through; over HTTP {"through": true}).`,
    { extra: { runs: overlaying.map(({ run_id }) => run_id) } },
  )
}
