/**
 * Merges a checked snapshot into the registers, or leaves the run waiting for approval, or reports what it would have
 * done. All in one transaction, which also ends the run.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Db, Tx } from '../../db/db.ts'
import { rowEstimate } from '../../db/row-estimate.ts'
import { sql } from '../../db/sql.ts'
import { type MergeResult, merge } from '../merge/merge.ts'
import type { RunRecord } from '../run/runs.ts'
import { nextTurn } from '../run/turns.ts'
import { gatherStatistics } from '../run/work-tables.ts'
import { isApproved } from './approval.ts'
import type { Attempt } from './attempt.ts'
import { requestEvaluation } from './evaluation.ts'
import { whyNothingChanged } from './nothing-changed.ts'
import type { Ready } from './prepare-snapshot.ts'
import { secondsSince } from './run-report.ts'
import { dropStagingTables } from './staging-tables.ts'

export async function mergeSnapshot(attempt: Attempt, source: Source, run: RunRecord, ready: Ready): Promise<void> {
  const { deps, lease } = attempt
  const started = performance.now()
  let written = 0
  await lease.step(async (tx) => {
    const result = await merge(tx, source, {
      ...ready,
      runId: run.run_id,
      mode: run.mode,
      asOf: run.as_of,
      approved: await isApproved(tx, run),
      dryRun: run.dry_run,
      shadowTableFrom: deps.shadowTableFrom,
      reached: (point) => attempt.reached(point),
    })
    attempt.seconds['merge'] = secondsSince(started)
    if (!result.applied && run.dry_run) {
      await endPreviewed(attempt, tx, run, ready, result)
      return
    }
    if (!result.applied) {
      const message = `The snapshot is suspicious: ${result.reasons.join('; ')}. Nothing was applied.`
      const error = { code: 'NEEDS_APPROVAL', message, reasons: result.reasons }
      const { scopes, preview } = result
      const turn = await nextTurn(tx, run.source)
      await lease.update(tx, {
        status: 'needs_approval',
        approved_at: null,
        decision: null,
        turn,
        scopes,
        preview,
        error,
        report: ready.report,
        progress: {},
      })
      return
    }
    const { scopes, staleScopes, skipped, changedShares, ...counts } = result.counts
    if (counts.inserted + counts.updated + counts.closed > 0) {
      await requestEvaluation(tx, deps.queue, source, run.run_id)
    }
    const figures = { ...counts, skipped: skipped }
    const reason = whyNothingChanged(run, { ...figures, rows_read: ready.rowsRead, rejected: ready.rejected })
    const changed = Object.keys(changedShares).length > 0 && { changed_shares: changedShares }
    const report = {
      ...{ ...ready.report, seconds: attempt.seconds, stale_scopes: staleScopes },
      ...{ ...(reason && { reason }), ...changed },
    }
    const turn = await nextTurn(tx, run.source)
    await lease.update(tx, { status: 'succeeded', turn, ...figures, scopes, report, progress: {}, ...attempt.ending() })
    await dropStagingTables(tx, run.run_id)
    await attempt.reached('merged')
    written = counts.inserted + counts.updated
  })
  await refreshStatistics(deps.db, source, written)
  await attempt.reached('committed')
}

async function endPreviewed(
  attempt: Attempt,
  tx: Tx,
  run: RunRecord,
  ready: Ready,
  { scopes, preview }: Extract<MergeResult, { applied: false }>,
): Promise<void> {
  const { inserted, updated, unchanged, skipped, closed } = preview
  const counts = { inserted, updated, unchanged, skipped, closed, rejected: ready.rejected }
  const reason = whyNothingChanged(run, { ...counts, rows_read: ready.rowsRead })
  const report = { ...ready.report, seconds: attempt.seconds, ...(reason && { reason }) }
  const change = { status: 'previewed' as const, ...counts, scopes, preview, report, progress: {}, ...attempt.ending() }
  await attempt.lease.update(tx, change)
  await dropStagingTables(tx, attempt.lease.runId)
}

/**
 * After a large load the planner would assume an empty table, and the next reader would have to mark every row as
 * committed.
 */
export async function refreshStatistics(db: Db, source: Source, written: number): Promise<void> {
  if (written <= 0.1 * (await rowEstimate(db, source.table))) return
  await gatherStatistics(db, source.table)
  // If this role may not, before PostgreSQL 17, the server skips it with a warning, and autovacuum does it.
  await db.execute(sql`VACUUM ${source.table}`)
}
