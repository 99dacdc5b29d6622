/**
 * One run from its row to the registers: fetch → stage → match → check → merge → history → feed.
 *
 * Nothing of the registers changes before the merge's one transaction, which also ends the run; a killed attempt is
 * repeated from the start and ends in the same tables. A run that is already at its end is returned as it is.
 */

import { fetchBounds } from '../../../config/input-bounds.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Connection, Tx } from '../../db/db.ts'
import { rowEstimate } from '../../db/row-estimate.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { queues } from '../../queue/queues.ts'
import { check } from '../check/check.ts'
import type { Coverage } from '../check/coverage.ts'
import { type Matched, match } from '../check/match.ts'
import { planCheck } from '../check/plan-check.ts'
import { coverageOf } from '../check/rules/rules.ts'
import { summaryOf } from '../check/summary.ts'
import { deleteDownloads, fetchInput } from '../input/fetch-input.ts'
import { openInput } from '../input/open-input.ts'
import type { OpenInput } from '../input/unpack/read-file.ts'
import type { CheckedQuality } from '../merge/guards.ts'
import { type MergeResult, merge } from '../merge/merge.ts'
import { claimRun, underSourceLock } from '../run/claim.ts'
import { sourceNamed } from '../run/request-run.ts'
import type { RunDependencies } from '../run/run-dependencies.ts'
import type { RunLease } from '../run/run-lease.ts'
import { type RunRecord, readRun } from '../run/runs.ts'
import { stepProgress } from '../run/step-progress.ts'
import { throttle } from '../run/throttle.ts'
import { appliedSince, namedRuns, nextTurn, readApprovedTurn } from '../run/turns.ts'
import { matchHeader } from '../stage/header.ts'
import { stage } from '../stage/stage.ts'
import { recordFailure } from './failure.ts'
import { headerDrift } from './header-drift.ts'
import { leftEverything } from './left-alone.ts'
import { reportOf, secondsSince } from './run-report.ts'
import { checkedTablesHold, dropStagingTables, sweepStagingTables } from './staging-tables.ts'
import { runUndo } from './undo-run.ts'

interface Ready {
  readonly checkedTable: string
  readonly usable: number
  readonly scopes: readonly string[]
  readonly coverage: ReadonlyMap<string, Coverage>
  readonly matched: Matched | undefined
  readonly rowsRead: number
  readonly rejected: number
  readonly cutOffLine?: number | undefined
  readonly rejectsUnnamed?: number
  readonly quality?: CheckedQuality
}

/** @throws AppError of what went wrong, after the run row says so too. */
export async function runSnapshot(deps: RunDependencies, runId: number): Promise<RunRecord> {
  const lease = await claimRun(deps.db, runId)
  if (lease) await new Attempt(deps, lease).run()
  const record = await readRun(deps.db, runId)
  if (!record) throw new AppError('NOT_FOUND', `There is no run ${runId}.`)
  return record
}

class Attempt {
  readonly #deps: RunDependencies
  readonly #lease: RunLease
  readonly #started = performance.now()
  readonly #seconds: Record<string, number> = {}
  #report: object = {}

  constructor(deps: RunDependencies, lease: RunLease) {
    this.#deps = deps
    this.#lease = lease
  }

  async run(): Promise<void> {
    const { db } = this.#deps
    const run = await readRun(db, this.#lease.runId)
    if (!run) return
    const source = sourceNamed(run.source)
    try {
      await this.#reached('claimed')
      await underSourceLock(db, this.#lease, run, async (connection) => {
        await sweepStagingTables(connection)
        if (await this.#isOvertaken(run)) return
        if (run.undo) return this.#undo(source, { ...run, undo: run.undo })
        const ready = (await this.#approved(source, run)) ?? (await this.#prepare(connection, source, run))
        if (ready) await this.#merge(source, run, ready)
      })
    } catch (cause) {
      if (await this.#isCancelled()) return
      await recordFailure(this.#deps, this.#lease, cause, this.#ending())
      throw cause
    }
  }

  /** Then whatever broke off the attempt was meant to; what it still had is cleared away. */
  async #isCancelled(): Promise<boolean> {
    const { db, log, dataDir } = this.#deps
    const { runId } = this.#lease
    const run = await readRun(db, runId).catch(() => undefined)
    if (run?.status !== 'cancelled') return false
    log.info({ runId }, 'the run was cancelled')
    await db.transaction((tx) => dropStagingTables(tx, runId))
    await deleteDownloads(dataDir, runId)
    return true
  }

  /** An approval is for the register as it stood then. Under the source's lock nothing more is applied before the merge. */
  async #isOvertaken(run: RunRecord): Promise<boolean> {
    const approvedTurn = await readApprovedTurn(this.#deps.db, run)
    if (approvedTurn === null) return false
    const since = await appliedSince(this.#deps.db, run.source, approvedTurn)
    if (since.length === 0) return false
    const reasons = [`${namedRuns(since)} of ${run.source} ended after it was approved`]
    const message = `The approval no longer holds: ${reasons[0]}. Nothing was applied.`
    const error = { code: 'NEEDS_APPROVAL', message, reasons }
    await this.#lease.update(this.#deps.db, { status: 'needs_approval', approved_at: null, error, progress: {} })
    return true
  }

  /** A run that an operator let through goes on with what it staged, as long as that is still there. */
  async #approved(source: Source, run: RunRecord): Promise<Ready | undefined> {
    if (run.approved_at === null || run.header === null) return undefined
    const matched = await checkedTablesHold(this.#deps.db, source, run)
    if (matched === false) return undefined
    const { positions } = matchHeader(source, run.header, run.input)
    this.#report = run.report
    Object.assign(this.#seconds, run.report['seconds'])
    const checkedTable = `ingest.checked_${run.run_id}`
    const { usable, scopes } = await summaryOf(this.#deps.db, source, checkedTable, [])
    return {
      checkedTable,
      usable,
      scopes,
      coverage: coverageOf(source, positions),
      matched,
      rowsRead: run.rows_read,
      rejected: run.rejected,
    }
  }

  /** Fetch, stage and check. @returns undefined when the same content was ingested before. */
  async #prepare(connection: Connection, source: Source, run: RunRecord): Promise<Ready | undefined> {
    const { db, signal } = this.#deps
    const lease = this.#lease
    await lease.fenced(async (tx) => {
      await dropStagingTables(tx, run.run_id)
      await tx.execute('DELETE FROM ingest.reject WHERE run_id = $1', [run.run_id])
    })
    const bounds = { ...fetchBounds, ...this.#deps.bounds }
    const step = { deps: this.#deps, lease, bounds, ending: () => this.#ending() }
    const obtained = await this.#timed('fetch', () => fetchInput(step, run))
    if (!obtained) return undefined
    const { file, validators } = obtained
    try {
      await this.#reached('fetched')
      const input = await openInput(file, { shape: source, bounds, signal, box: this.#deps.boxBounds })
      await lease.update(db, { status: 'staging', bytes: file.size, validators })
      const staged = await this.#timed('stage', () =>
        stage(connection, source, input, {
          lease,
          signal,
          onRows: this.#progress(input),
          ...(this.#deps.tolerantOnly === undefined ? {} : { tolerantOnly: this.#deps.tolerantOnly }),
          ...(this.#deps.rejectBounds === undefined ? {} : { rejectBounds: this.#deps.rejectBounds }),
        }),
      )
      const sha256 = input.sha256()
      if (run.approved_at !== null && run.sha256 !== null && run.sha256 !== sha256) {
        throw new AppError('SOURCE_UNREADABLE', `${run.input}: the file is no longer the one that was approved.`)
      }
      const checking = await stepProgress(db, run, 'check', staged.rowsRead)
      const { header, rowsRead } = staged
      await lease.update(db, { status: 'checking', header, rows_read: rowsRead, sha256, progress: checking })
      await this.#reached('staged')
      signal.throwIfAborted()
      const plan = await planCheck(db, source, staged)
      // Forced means: trust nothing that was found out before.
      const compares = run.mode === 'snapshot' && !run.force
      const matched = compares ? await this.#timed('match', () => match(lease, source, staged, plan)) : undefined
      await this.#reached('matched')
      const checked = await this.#timed('check', () =>
        check(lease, source, staged, plan, matched, this.#deps.rejectBounds),
      )
      const covered = [...checked.coverage].filter(([, how]) => how === 'covered').map(([column]) => column)
      const rejected = staged.rejected + checked.rejected
      const merging = await stepProgress(db, run, 'merge', rowsRead - rejected)
      await lease.update(db, { status: 'merging', covered, rejected, progress: merging })
      const drift = await headerDrift(db, source, run, staged)
      this.#report = reportOf(staged, matched, checked, drift, this.#seconds, file.size)
      await this.#reached('checked')
      signal.throwIfAborted()
      const { table: checkedTable, usable, scopes, coverage } = checked
      const rejectsUnnamed = staged.rejected - staged.rejectsKept + checked.rejectsUnnamed
      const { cutOffLine } = staged
      const quality = { usable, emptyCells: checked.emptyCells, unknownWords: checked.unknownWords }
      const found = { rowsRead, rejected, cutOffLine, rejectsUnnamed, quality }
      return { checkedTable, usable, scopes, coverage, matched, ...found }
    } finally {
      await obtained.release()
    }
  }

  async #merge(source: Source, run: RunRecord, ready: Ready): Promise<void> {
    const lease = this.#lease
    const started = performance.now()
    let written = 0
    await lease.fenced(async (tx) => {
      const result = await merge(tx, source, {
        ...ready,
        runId: run.run_id,
        mode: run.mode,
        asOf: run.as_of,
        approved: run.approved_at !== null,
        dryRun: run.dry_run,
        reached: (point) => this.#reached(point),
      })
      this.#seconds['merge'] = secondsSince(started)
      if (!result.applied && run.dry_run) {
        await this.#endPreviewed(tx, ready, result)
        return
      }
      if (!result.applied) {
        const message = `The snapshot is suspicious: ${result.reasons.join('; ')}. Nothing was applied.`
        const error = { code: 'NEEDS_APPROVAL', message, reasons: result.reasons }
        const { scopes, preview } = result
        const turn = await nextTurn(tx, run.source)
        await lease.update(tx, {
          status: 'needs_approval',
          turn,
          scopes,
          preview,
          error,
          report: this.#report,
          progress: {},
        })
        return
      }
      const { scopes, staleScopes, leftAlone, ...counts } = result.counts
      if (source.feed && counts.inserted + counts.updated + counts.closed > 0) {
        await this.#deps.queue.send(tx, queues.collectWords, { entity: source.feed.dataset })
      }
      const figures = { ...counts, left_alone: leftAlone }
      const reason = leftEverything(run, { ...figures, rows_read: ready.rowsRead, rejected: ready.rejected })
      const report = { ...this.#report, seconds: this.#seconds, stale_scopes: staleScopes, ...(reason && { reason }) }
      const turn = await nextTurn(tx, run.source)
      await lease.update(tx, { status: 'succeeded', turn, ...figures, scopes, report, progress: {}, ...this.#ending() })
      await dropStagingTables(tx, run.run_id)
      await this.#reached('merged')
      written = counts.inserted + counts.updated
    })
    await this.#refreshStatistics(source, written)
    await this.#reached('committed')
  }

  async #endPreviewed(
    tx: Tx,
    ready: Ready,
    { scopes, preview }: Extract<MergeResult, { applied: false }>,
  ): Promise<void> {
    const { inserted, updated, unchanged, left_alone, closed } = preview
    const counts = { inserted, updated, unchanged, left_alone, closed, rejected: ready.rejected }
    const report = { ...this.#report, seconds: this.#seconds }
    const change = { status: 'previewed' as const, ...counts, scopes, preview, report, progress: {}, ...this.#ending() }
    await this.#lease.update(tx, change)
    await dropStagingTables(tx, this.#lease.runId)
  }

  async #undo(source: Source, run: Parameters<typeof runUndo>[2]): Promise<void> {
    const step = {
      deps: this.#deps,
      lease: this.#lease,
      reached: (point: string) => this.#reached(point),
      ending: () => this.#ending(),
    }
    await this.#refreshStatistics(source, await runUndo(step, source, run))
    await this.#reached('committed')
  }

  /** After a large load the planner would take the table for empty, and the next reader would mark every row as committed. */
  async #refreshStatistics(source: Source, written: number): Promise<void> {
    const { db } = this.#deps
    if (written > 0.1 * (await rowEstimate(db, source.table))) await db.execute(sql`VACUUM (ANALYZE) ${source.table}`)
  }

  #progress(input: OpenInput): (rows: number) => Promise<void> {
    let begun = false
    const write = throttle(async (rows: number) => {
      const progress = { step: 'stage', bytes_read: input.bytesRead(), bytes_total: input.bytesTotal, rows }
      await this.#lease.update(this.#deps.db, { progress })
    })
    return async (rows) => {
      if (!begun) await this.#reached('staging')
      begun = true
      await write(rows)
    }
  }

  async #timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const result = await work()
    this.#seconds[step] = secondsSince(started)
    this.#deps.log.debug({ runId: this.#lease.runId, step, seconds: this.#seconds[step] }, 'ingest step done')
    return result
  }

  #ending() {
    return { finished_at: new Date(), seconds: secondsSince(this.#started) }
  }

  async #reached(point: string): Promise<void> {
    await this.#deps.reached?.(point)
  }
}
