/**
 * One run from its row to the registers: fetch → stage → check → merge → history → feed.
 *
 * Nothing of the registers changes before the merge's one transaction, which also ends the run; a killed attempt is
 * repeated from the start and ends in the same tables. A run that is already at its end is returned as it is.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Registry } from '../../config/registries/registry.ts'
import type { Db, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { check } from './check/check.ts'
import { type Coverage, coverageOf } from './check/coverage.ts'
import { claimRun, underSourceLock } from './claim.ts'
import { download } from './fetch/download.ts'
import { hashFile, isRemote, locateFile, type OpenInput, openFile } from './fetch/open-input.ts'
import { merge, noteScopes } from './merge/merge.ts'
import { registryOf } from './request-run.ts'
import type { RunLease } from './run-lease.ts'
import { reportOf, secondsSince } from './run-report.ts'
import { type RunRecord, readRun } from './runs.ts'
import { matchHeader } from './stage/header.ts'
import { stage } from './stage/stage.ts'
import { checkedTableHolds, dropStagingTables, sweepStagingTables } from './staging-tables.ts'

export interface RunDependencies {
  readonly db: Db
  readonly queue: JobSender
  readonly log: Logger
  readonly signal: AbortSignal
  readonly allowPrivateSources: boolean
  readonly dataDir: string
  /** False while the queue will try again after a passing fault; the run then stays open. Default true. */
  readonly finalAttempt?: boolean
  /** Called at each boundary of the run; tests stop or kill the process there. */
  readonly reached?: (point: string) => Promise<void>
  /** Sends every record through the tolerant lane; the property test compares both lanes. */
  readonly tolerantOnly?: boolean
}

interface Ready {
  readonly checkedTable: string
  readonly coverage: ReadonlyMap<string, Coverage>
  readonly rowsRead: number
  readonly rejected: number
}

const progressEveryMs = 500

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
    const registry = registryOf(run.source)
    try {
      await this.#reached('claimed')
      await underSourceLock(db, this.#lease, run, async (connection) => {
        await sweepStagingTables(connection)
        const ready = (await this.#approved(registry, run)) ?? (await this.#prepare(connection, registry, run))
        if (ready) await this.#merge(registry, run, ready)
      })
    } catch (cause) {
      await this.#recordFailure(run, cause)
      throw cause
    }
  }

  /** A run that an operator let through goes on with what it staged, as long as that is still there. */
  async #approved(registry: Registry, run: RunRecord): Promise<Ready | undefined> {
    if (run.approved_at === null || run.header === null) return undefined
    const stagedRows = run.rows_read - Number(run.report['rejected_at_stage'] ?? 0)
    if (!(await checkedTableHolds(this.#deps.db, run.run_id, stagedRows))) return undefined
    const header = { names: run.header, nextLine: 2, lineEnd: '\n', rest: Buffer.alloc(0) } as const
    const { positions } = matchHeader(registry, header, run.input)
    this.#report = run.report
    return {
      checkedTable: `ingest.checked_${run.run_id}`,
      coverage: coverageOf(registry, positions),
      rowsRead: run.rows_read,
      rejected: run.rejected,
    }
  }

  /** Fetch, stage and check. @returns undefined when the same content was ingested before. */
  async #prepare(connection: Tx, registry: Registry, run: RunRecord): Promise<Ready | undefined> {
    const { db, signal } = this.#deps
    const lease = this.#lease
    await lease.fenced(async (tx) => {
      await dropStagingTables(tx, run.run_id)
      await tx.execute('DELETE FROM ingest.reject WHERE run_id = $1', [run.run_id])
    })
    const path = await this.#timed('fetch', () => this.#fetch(run))
    try {
      const file = { ...(await locateFile(path)), name: run.input }
      // The same content has the same size, so a file of a new size need not be read before it is staged.
      if (
        !run.force &&
        (await this.#sizeSeen(run, file.size)) &&
        (await this.#isNoOp(run, await hashFile(file), file.size))
      ) {
        return undefined
      }
      await this.#reached('fetched')
      const input = await openFile(file, registry)
      await lease.update(db, { status: 'staging', bytes: file.size })
      const staged = await this.#timed('stage', () =>
        stage(connection, registry, input, {
          lease,
          signal,
          onRows: this.#progress(input),
          ...(this.#deps.tolerantOnly === undefined ? {} : { tolerantOnly: this.#deps.tolerantOnly }),
        }),
      )
      const sha256 = input.sha256()
      if (run.approved_at !== null && run.sha256 !== null && run.sha256 !== sha256) {
        throw new AppError('SOURCE_UNREADABLE', `${run.input}: the file is no longer the one that was approved.`)
      }
      await lease.update(db, { status: 'checking', header: staged.header, rows_read: staged.rowsRead, sha256 })
      await this.#reached('staged')
      signal.throwIfAborted()
      const checked = await this.#timed('check', () => check(db, lease, registry, staged))
      const covered = [...checked.coverage].filter(([, how]) => how === 'covered').map(([column]) => column)
      const rejected = staged.rejected + checked.rejected
      await lease.update(db, { status: 'merging', covered, rejected })
      this.#report = reportOf(staged, checked, this.#seconds, file.size)
      await this.#reached('checked')
      signal.throwIfAborted()
      return { checkedTable: checked.table, coverage: checked.coverage, rowsRead: staged.rowsRead, rejected }
    } finally {
      if (isRemote(run.input)) await rm(path, { force: true })
    }
  }

  async #fetch(run: RunRecord): Promise<string> {
    const { dataDir, allowPrivateSources, signal } = this.#deps
    if (!isRemote(run.input)) return (await locateFile(run.input)).path
    const folder = join(dataDir, 'downloads')
    return download(run.input, { folder, fileName: `run-${run.run_id}`, allowPrivate: allowPrivateSources, signal })
  }

  async #sizeSeen(run: RunRecord, size: number): Promise<boolean> {
    const seen = await this.#deps.db.query(
      `SELECT 1 FROM ingest.run WHERE source = $1 AND bytes = $2 AND status = 'succeeded' LIMIT 1`,
      [run.source, size],
    )
    return seen.length > 0
  }

  async #isNoOp(run: RunRecord, sha256: string, bytes: number): Promise<boolean> {
    // Content counts as taken in where it was wholly applied, closures included, and nothing replaced it since. A
    // file without a scope column may have touched any scope.
    const [same] = await this.#deps.db.query<{ scopes: string[] }>(
      `SELECT same.scopes FROM ingest.run same
       WHERE same.source = $1 AND same.sha256 = $2 AND same.status = 'succeeded' AND same.mode IN ('snapshot', $3)
         AND coalesce(same.report -> 'stale_scopes', '[]') = '[]'
         AND NOT EXISTS (SELECT FROM ingest.run later
                         WHERE later.source = same.source AND later.run_id > same.run_id AND later.status = 'succeeded'
                           AND later.sha256 <> same.sha256
                           AND (later.scopes && same.scopes OR later.scopes = '{}' OR same.scopes = '{}')
                           AND later.inserted + later.updated + later.closed > 0)
       ORDER BY same.run_id DESC LIMIT 1`,
      [run.source, sha256, run.mode],
    )
    if (!same) return false
    await this.#lease.fenced(async (tx) => {
      // The register is now known to have looked like this on the later day too.
      if (run.mode === 'snapshot')
        await noteScopes(tx, { source: run.source, asOf: run.as_of, runId: run.run_id }, same.scopes)
      await this.#lease.update(tx, { status: 'no_op', sha256, bytes, ...this.#ending() })
    })
    return true
  }

  async #merge(registry: Registry, run: RunRecord, ready: Ready): Promise<void> {
    const lease = this.#lease
    const started = performance.now()
    let written = 0
    await lease.fenced(async (tx) => {
      await tx.execute(`SELECT set_config('application_name', $1, true)`, [lease.applicationName])
      const result = await merge(tx, registry, {
        ...ready,
        runId: run.run_id,
        mode: run.mode,
        asOf: run.as_of,
        approved: run.approved_at !== null,
        reached: (point) => this.#reached(point),
      })
      this.#seconds['merge'] = secondsSince(started)
      if (!result.applied) {
        const message = `The snapshot is suspicious: ${result.reasons.join('; ')}. Nothing was applied.`
        const error = { code: 'NEEDS_APPROVAL', message, reasons: result.reasons }
        await lease.update(tx, { status: 'needs_approval', error, report: this.#report })
        return
      }
      const { scopes, staleScopes, ...counts } = result.counts
      if (registry.feed && counts.inserted + counts.updated + counts.closed > 0) {
        await this.#deps.queue.send(tx, queues.refreshFeeds, { runId: run.run_id })
        await this.#deps.queue.send(tx, queues.collectWords, { entity: registry.feed.dataset })
      }
      const report = { ...this.#report, seconds: this.#seconds, stale_scopes: staleScopes }
      await lease.update(tx, { status: 'succeeded', ...counts, scopes, report, progress: {}, ...this.#ending() })
      await dropStagingTables(tx, run.run_id)
      await this.#reached('merged')
      written = counts.inserted + counts.updated
    })
    await this.#refreshStatistics(registry, written)
    await this.#reached('committed')
  }

  /** After a large load the planner would take the table for empty until autovacuum comes by. */
  async #refreshStatistics(registry: Registry, written: number): Promise<void> {
    const tables = [registry.table, ...(registry.feed ? ['feed.registration'] : [])]
    const [known] = await this.#deps.db.query<{ rows: number }>(
      'SELECT greatest(reltuples, 0) AS rows FROM pg_class WHERE oid = $1::regclass',
      [registry.table],
    )
    if (written > 0.1 * (known?.rows ?? 0)) await this.#deps.db.execute(`ANALYZE ${tables.join(', ')}`)
  }

  async #recordFailure(run: RunRecord, cause: unknown): Promise<void> {
    if (cause instanceof AppError && cause.code === 'LEASE_LOST') return
    const retry = cause instanceof AppError ? cause.retry : 'later'
    const isFinal = retry === 'never' || (retry === 'later' && (this.#deps.finalAttempt ?? true))
    const error =
      cause instanceof AppError
        ? { code: cause.code, message: cause.message }
        : { code: 'INTERNAL', message: cause instanceof Error ? cause.message : String(cause) }
    const values = isFinal ? { status: 'failed', error, ...this.#ending() } : { status: 'queued', error }
    try {
      await this.#lease.fenced(async (tx) => {
        await this.#lease.update(tx, values)
        await dropStagingTables(tx, run.run_id)
      })
    } catch (second) {
      // The first error is the one to report; without a database the run stays open for the next attempt.
      this.#deps.log.warn({ err: second, runId: run.run_id }, 'the failure of a run could not be recorded')
    }
  }

  #progress(input: OpenInput): (rows: number) => Promise<void> {
    let lastAt = 0
    return async (rows) => {
      if (lastAt === 0) await this.#reached('staging')
      if (performance.now() - lastAt < progressEveryMs) return
      lastAt = performance.now()
      const progress = { step: 'stage', bytes_read: input.bytesRead(), bytes_total: input.bytesTotal, rows }
      await this.#lease.update(this.#deps.db, { progress })
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
