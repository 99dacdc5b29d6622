/**
 * One run from its row to the registers: fetch → stage → match → check → merge → history → feed.
 *
 * The registers only change in the merge's one transaction, which also ends the run; a killed attempt is repeated from
 * the start and results in the same tables. A run that has already finished is returned unchanged.
 */

import type { Source } from '../../../config/sources/source.ts'
import { AppError } from '../../errors.ts'
import { deleteDownloads } from '../input/fetch-input.ts'
import { claimRun, underSourceLock } from '../run/claim.ts'
import type { RunDependencies } from '../run/run-dependencies.ts'
import { type RunRecord, readRun } from '../run/runs.ts'
import { sourceOfRun } from '../run/source-of-run.ts'
import { appliedSince, namedRuns, readApprovedTurn } from '../run/turns.ts'
import { Attempt } from './attempt.ts'
import { recordFailure } from './failure.ts'
import { mergeSnapshot, refreshStatistics } from './merge-snapshot.ts'
import { approvedSnapshot, prepareSnapshot } from './prepare-snapshot.ts'
import { dropStagingTables, sweepStagingTables } from './staging-tables.ts'
import { runUndo } from './undo-run.ts'

/** @throws AppError with the failure, after it was recorded in the run's row. */
export async function runSnapshot(deps: RunDependencies, runId: number): Promise<RunRecord> {
  const lease = await claimRun(deps.db, runId)
  if (lease) await attemptRun(new Attempt(deps, lease))
  const record = await readRun(deps.db, runId)
  if (!record) throw new AppError('NOT_FOUND', `There is no run ${runId}.`)
  return record
}

async function attemptRun(attempt: Attempt): Promise<void> {
  const { deps, lease } = attempt
  const { db } = deps
  const run = await readRun(db, lease.runId)
  if (!run) return
  try {
    const source = await sourceOfRun(db, run)
    await attempt.reached('claimed')
    await underSourceLock(db, lease, run, async (connection) => {
      await sweepStagingTables(connection)
      if (await isOvertaken(attempt, run)) return
      if (run.undo) return undo(attempt, source, { ...run, undo: run.undo })
      const ready =
        (await approvedSnapshot(attempt, source, run)) ?? (await prepareSnapshot(attempt, connection, source, run))
      if (ready) await mergeSnapshot(attempt, source, run, ready)
    })
  } catch (cause) {
    if (await isCancelled(attempt)) return
    await recordFailure(deps, lease, run.source, cause, attempt.ending())
    throw cause
  }
}

/** If so, whatever interrupted the attempt was intended; what it still held is cleaned up. */
async function isCancelled(attempt: Attempt): Promise<boolean> {
  const { db, log, dataDir } = attempt.deps
  const { runId } = attempt.lease
  const run = await readRun(db, runId).catch(() => undefined)
  if (run?.status !== 'cancelled') return false
  log.info({ runId }, 'the run was cancelled')
  await db.transaction((tx) => dropStagingTables(tx, runId))
  await deleteDownloads(dataDir, runId)
  return true
}

/**
 * An approval applies to the partitions as of that time. Under the source's lock nothing else is applied before the
 * merge.
 */
async function isOvertaken({ deps: { db }, lease }: Attempt, run: RunRecord): Promise<boolean> {
  const approvedTurn = await readApprovedTurn(db, run)
  if (approvedTurn === null) return false
  const since = await appliedSince(db, run, approvedTurn)
  if (since.length === 0) return false
  const reasons = [`${namedRuns(since)} of ${run.source} ended after it was approved`]
  const message = `The approval no longer holds: ${reasons[0]}. Nothing was applied.`
  const error = { code: 'NEEDS_APPROVAL', message, reasons }
  await lease.update(db, { status: 'needs_approval', approved_at: null, decision: null, error, progress: {} })
  return true
}

async function undo(attempt: Attempt, source: Source, run: Parameters<typeof runUndo>[2]): Promise<void> {
  const step = {
    deps: attempt.deps,
    lease: attempt.lease,
    reached: (point: string) => attempt.reached(point),
    ending: () => attempt.ending(),
  }
  await refreshStatistics(attempt.deps.db, source, await runUndo(step, source, run))
  await attempt.reached('committed')
}
