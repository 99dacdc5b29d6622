/**
 * Turns a run's file into a checked snapshot: fetch → stage → match → check, or reuses what an approved run staged
 * before. Does not change the registers; repeated from the start, it results in the same tables.
 */
import { fetchBounds } from '../../../config/input-bounds.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { check } from '../check/check.ts'
import { type Coverage, isCovered } from '../check/coverage.ts'
import type { Matched } from '../check/match.ts'
import { lackedColumns } from '../check/new-records.ts'
import { coverageOf } from '../check/rules/rules.ts'
import { readSummary } from '../check/summary.ts'
import { fetchInput } from '../input/fetch-input.ts'
import { isReadFast, openInput } from '../input/open-input.ts'
import type { OpenInput } from '../input/unpack/read-file.ts'
import type { CheckedQuality, ReplacedColumns } from '../merge/guards.ts'
import { whileConnected } from '../run/claim.ts'
import type { RunRecord } from '../run/runs.ts'
import { stepProgress } from '../run/step-progress.ts'
import { throttle } from '../run/throttle.ts'
import { matchHeader } from '../stage/header.ts'
import type { ReadOptions } from '../stage/read-snapshot.ts'
import type { Attempt } from './attempt.ts'
import { compareHeaders } from './header-drift.ts'
import { readSnapshotFile } from './read-snapshot-file.ts'
import { reportOf } from './run-report.ts'
import { checkedTablesHold, dropStagingTables } from './staging-tables.ts'

/** A checked snapshot, ready to be merged. */
export interface Ready {
  readonly checkedTable: string
  readonly usable: number
  readonly scopes: readonly string[]
  readonly coverage: ReadonlyMap<string, Coverage>
  readonly matched: Matched | undefined
  readonly rowsRead: number
  readonly rejected: number
  readonly cutOffLine?: number | undefined
  readonly rejectsUnnamed?: number
  readonly listed?: number
  readonly quality?: CheckedQuality
  readonly replaced?: ReplacedColumns | undefined
  /** Of the steps so far. */
  readonly report: object
}

/** An approved run continues with what it staged, as long as that still exists. */
export async function approvedSnapshot(attempt: Attempt, source: Source, run: RunRecord): Promise<Ready | undefined> {
  if (run.approved_at === null || run.header === null) return undefined
  const matched = await checkedTablesHold(attempt.deps.db, source, run)
  if (matched === false) return undefined
  const coverage = coverageOf(source, matchHeader(source, run.header, run.input).positions)
  // Which of its records are new may have changed since.
  if (lackedColumns(source, coverage).length > 0) return undefined
  Object.assign(attempt.seconds, run.report['seconds'])
  const checkedTable = `ingest.checked_${run.run_id}`
  const { usable, scopes } = await readSummary(attempt.deps.db, source, checkedTable, [])
  return {
    checkedTable,
    usable,
    scopes,
    coverage,
    matched,
    rowsRead: run.rows_read,
    rejected: run.rejected,
    report: run.report,
  }
}

/**
 * Fetch, stage and check.
 * @returns undefined if the same content was ingested before.
 */
export async function prepareSnapshot(
  attempt: Attempt,
  connection: Connection,
  source: Source,
  run: RunRecord,
): Promise<Ready | undefined> {
  const { deps, lease } = attempt
  const { db, signal } = deps
  await lease.fenced(async (tx) => {
    await dropStagingTables(tx, run.run_id)
    await tx.execute('DELETE FROM ingest.reject WHERE run_id = $1', [run.run_id])
  })
  const bounds = { ...fetchBounds, ...deps.bounds }
  const ending = () => attempt.ending()
  const obtained = await attempt.timed('fetch', () =>
    whileConnected(connection, signal, (heeded) =>
      fetchInput({ deps: { ...deps, signal: heeded }, lease, bounds, ending }, run),
    ),
  )
  if (!obtained) return undefined
  const { file, validators } = obtained
  try {
    await attempt.reached('fetched')
    await lease.update(db, { status: 'staging', bytes: file.size, validators })
    const { rejectBounds } = deps
    const optionsFor = (input: OpenInput): ReadOptions => ({
      lease,
      signal,
      mode: run.mode,
      onRows: progressOf(attempt, input),
      ...(deps.tolerantOnly === undefined ? {} : { tolerantOnly: deps.tolerantOnly }),
      ...(rejectBounds === undefined ? {} : { rejectBounds }),
    })
    const open = () => openInput(file, { shape: source, bounds, signal, processBounds: deps.parserBounds })
    // With `force`, nothing found out before is trusted.
    const compares = run.mode === 'snapshot' && !run.force
    const isReadTwice = compares && (await isReadFast(file))
    const found = await attempt.timed('stage', () =>
      readSnapshotFile({ db, connection, lease, source, open, optionsFor, compares, isReadTwice }),
    )
    const { read, sha256 } = found
    if (run.approved_at !== null && run.sha256 !== null && run.sha256 !== sha256) {
      throw new AppError('SOURCE_UNREADABLE', `${run.input}: the file is no longer the one that was approved.`)
    }
    const checking = await stepProgress(db, run, 'check', read.rowsRead)
    const { header, rowsRead } = read
    const { map } = read.match.generation
    const mapped = map && { column_map: map }
    await lease.update(db, { status: 'checking', header, ...mapped, rows_read: rowsRead, sha256, progress: checking })
    await attempt.reached('staged')
    signal.throwIfAborted()
    const plan = await found.plan()
    const compared = await attempt.timed('match', () => found.compare(plan))
    await attempt.reached('matched')
    const checked = await attempt.timed('check', () => check(lease, source, read, plan, compared, rejectBounds))
    const { matched } = checked
    const covered = [...checked.coverage].filter(([, how]) => isCovered(how)).map(([column]) => column)
    const rejected = read.rejected + checked.rejected
    const merging = await stepProgress(db, run, 'merge', rowsRead - rejected)
    await lease.update(db, { status: 'merging', covered, rejected, progress: merging })
    const { drift, replaced } = await compareHeaders(db, source, run, read)
    const report = reportOf(read, checked, drift, attempt.seconds, file.size)
    await attempt.reached('checked')
    signal.throwIfAborted()
    const { table: checkedTable, usable, scopes, coverage } = checked
    const rejectsUnnamed = read.rejected - read.rejectsKept + checked.rejectsUnnamed
    const { cutOffLine, listed } = read
    const quality = { usable, emptyCells: checked.emptyCells, unknownWords: checked.unknownWords }
    const figures = { rowsRead, rejected, cutOffLine, listed, rejectsUnnamed, quality, replaced, report }
    return { checkedTable, usable, scopes, coverage, matched, ...figures }
  } finally {
    await obtained.release()
  }
}

function progressOf(attempt: Attempt, input: OpenInput): (rows: number) => Promise<void> {
  let begun = false
  const write = throttle(async (rows: number) => {
    const progress = { step: 'stage', bytes_read: input.bytesRead(), bytes_total: input.bytesTotal, rows }
    await attempt.lease.update(attempt.deps.db, { progress })
  })
  return async (rows) => {
    if (!begun) await attempt.reached('staging')
    begun = true
    await write(rows)
  }
}
