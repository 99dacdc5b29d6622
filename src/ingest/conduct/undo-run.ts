/**
 * A run that undoes others, from its claim to its end: one transaction changes the register, writes the history and
 * ends the run. A killed attempt is repeated and results in the same tables.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { queues } from '../../queue/queues.ts'
import { undo } from '../merge/undo.ts'
import type { RunDependencies } from '../run/run-dependencies.ts'
import type { RunLease } from '../run/run-lease.ts'
import { getRun, type RunRecord } from '../run/runs.ts'
import { nextTurn } from '../run/turns.ts'
import { requestEvaluation } from './evaluation.ts'
import { runsToUndo } from './request-undo.ts'
import { secondsSince } from './run-report.ts'

export interface UndoAttempt {
  readonly deps: RunDependencies
  readonly lease: RunLease
  readonly reached: (point: string) => Promise<void>
  readonly ending: () => { readonly finished_at: Date; readonly seconds: number }
}

/**
 * Call under the source's lock.
 * @returns rows that were written.
 * @throws AppError if the undo is no longer possible.
 */
export async function runUndo(
  { deps, lease, reached, ending }: UndoAttempt,
  source: Source,
  run: RunRecord & { readonly undo: NonNullable<RunRecord['undo']> },
): Promise<number> {
  const started = performance.now()
  await lease.update(deps.db, { status: 'merging', progress: { step: 'undo', since: new Date().toISOString() } })
  return lease.fenced(async (tx) => {
    const target = await getRun(tx, run.undo.run_id)
    const { undoes, asOf } = await runsToUndo(tx, target, run.undo.through, await readRequested(tx, run.run_id))
    const scopes = await readScopes(tx, undoes)
    const { withdrawn, restored, closed, elsewhere } = await undo(tx, source, {
      runId: run.run_id,
      asOf,
      undoes,
      reached,
    })
    if (elsewhere > 0) await deps.queue.send(tx, queues.collectWords, {})
    await requestEvaluation(tx, deps.queue, source, run.run_id)
    const updated = restored - closed
    const report = {
      reason: `Undid ${undoes.length === 1 ? 'import' : 'imports'} ${undoes.join(', ')}: ${run.undo.reason}`,
      withdrawn,
      restored,
      ...(elsewhere > 0 && { elsewhere }),
      seconds: { undo: secondsSince(started) },
    }
    const turn = await nextTurn(tx, source.name)
    const counts = { rows_read: updated, updated, closed }
    await lease.update(tx, {
      status: 'succeeded',
      turn,
      as_of: asOf,
      undoes,
      scopes,
      ...counts,
      report,
      progress: {},
      ...ending(),
    })
    await reached('undone')
    return withdrawn + restored
  })
}

/** Undefined for a request of an earlier release. */
async function readRequested(tx: Queryable, runId: number): Promise<readonly number[] | undefined> {
  const [asked] = await tx.query<{ runs: number[] | null }>(
    `SELECT undo -> 'runs' AS runs FROM ingest.run WHERE run_id = $1`,
    [runId],
  )
  return asked?.runs ?? undefined
}

/** The partitions of all runs being undone; a run without any may have changed any, and so may this one. */
async function readScopes(tx: Queryable, runs: readonly number[]): Promise<string[]> {
  const rows = await tx.query<{ scopes: string[] | null }>(
    'SELECT scopes FROM ingest.run WHERE run_id = ANY ($1::bigint[])',
    [runs],
  )
  if (rows.some(({ scopes }) => scopes === null || scopes.length === 0)) return []
  return [...new Set(rows.flatMap(({ scopes }) => scopes ?? []))].sort()
}
