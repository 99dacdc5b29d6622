/** An operator's decision about a suspicious run: approve or discard. Either happens once. */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { type RunDecision, unexplained } from '../run/decision.ts'
import { getRun, type RunRecord } from '../run/runs.ts'
import { appliedSince, type LaterRun, namedRuns } from '../run/turns.ts'
import { dropStagingTables } from './staging-tables.ts'

interface Deciding {
  readonly reason?: string | undefined
  /** By default the machine's operator. */
  readonly by?: string
  /** Called in the transaction with the decision, for the caller to record it there. */
  readonly acted?: (tx: Tx, decided: RunDecision) => Promise<void>
}

export interface Approval extends Deciding {
  /** Approve although other runs have been applied while this one waited. */
  readonly supersede?: boolean
}

/**
 * Approves a run: it merges what it staged. The approval applies to the current state of its partitions; if another run
 * of them is applied before the merge, this one needs approval again.
 * @throws AppError CONFLICT if it does not need approval, RUN_OVERTAKEN if others have been applied since.
 */
export async function approveRun(db: Db, queue: JobSender, runId: number, approval: Approval = {}): Promise<RunRecord> {
  const decision = decisionOf('approved', approval)
  await db.transaction(async (tx) => {
    const [run] = await tx.query<WaitingRun>(
      `SELECT run_id, source, as_of, scopes, coalesce(turn, run_id) AS turn FROM ingest.run
       WHERE run_id = $1 AND status = 'needs_approval'`,
      [runId],
    )
    if (!run) throw await notWaiting(db, runId)
    const since = await appliedSince(tx, run, run.turn)
    const overtaken = since.length > 0 && (await refusal(tx, run, since, decision.supersede))
    if (overtaken) throw overtaken
    // Invariant: of two operators only one approves, since the status is tested and set in one statement.
    const [decided] = await tx.query<{ approved: boolean }>('SELECT ingest.approve_run($1, $2, $3) AS approved', [
      runId,
      since.at(-1)?.turn ?? run.turn,
      JSON.stringify(decision),
    ])
    if (decided?.approved !== true) throw await notWaiting(db, runId)
    await queue.send(tx, queues.ingestSnapshot, { runId }, { singletonKey: run.source })
    await approval.acted?.(tx, decision)
  })
  return getRun(db, runId)
}

interface WaitingRun {
  readonly run_id: number
  readonly source: string
  readonly as_of: string
  readonly scopes: readonly string[] | null
  readonly turn: number
}

async function refusal(
  tx: Tx,
  run: WaitingRun,
  since: readonly LaterRun[],
  supersede: boolean,
): Promise<AppError | undefined> {
  const scopes = run.scopes ?? []
  const newer = await tx.query<{ as_of: string }>(
    'SELECT as_of FROM ingest.scope WHERE source = $1 AND scope = ANY ($2::text[]) AND as_of > $3 ORDER BY as_of DESC',
    [run.source, scopes, run.as_of],
  )
  const isStale = scopes.length > 0 && newer.length === scopes.length
  if (supersede && !isStale) return undefined
  const head = `While import ${run.run_id} waited, ${namedRuns(since)} of ${run.source} ${since.length === 1 ? 'was' : 'were'} applied.`
  const remedy = isStale
    ? `Everything it covers is already complete as of ${newer[0]?.as_of}, so applying a snapshot of ${run.as_of} would change nothing: discard it.`
    : 'Approving it would overwrite their changes with older data, and may change and close more than its preview shows. Discard it, or approve it with --supersede (over HTTP {"supersede": true}).'
  return new AppError('RUN_OVERTAKEN', `${head} ${remedy}`, { extra: { runs: since.map(({ run_id }) => run_id) } })
}

/** Whether what the run writes was approved. An approval of figures that no longer hold only has the file checked again. */
export async function isApproved(
  tx: Queryable,
  { run_id, approved_at }: Pick<RunRecord, 'run_id' | 'approved_at'>,
): Promise<boolean> {
  if (approved_at === null) return false
  const outdated = await tx.query(`SELECT FROM ingest.run WHERE run_id = $1 AND preview ? 'outdated_by'`, [run_id])
  return outdated.length === 0
}

export interface Discarding extends Deciding {
  /** False if this process may not drop the run's work tables; the worker sweeps them. */
  readonly dropsTables?: boolean
}

/**
 * Ends the run without applying it.
 * @throws AppError CONFLICT if it does not need approval.
 */
export async function discardRun(db: Db, runId: number, discarding: Discarding = {}): Promise<RunRecord> {
  const { acted, dropsTables = true } = discarding
  const decision = decisionOf('discarded', discarding)
  await db.transaction(async (tx) => {
    const [decided] = await tx.query<{ discarded: boolean }>('SELECT ingest.discard_run($1, $2) AS discarded', [
      runId,
      JSON.stringify(decision),
    ])
    if (decided?.discarded !== true) throw await notWaiting(db, runId)
    if (dropsTables) await dropStagingTables(tx, runId)
    await acted?.(tx, decision)
  })
  return getRun(db, runId)
}

function decisionOf(outcome: RunDecision['outcome'], of: Approval): RunDecision {
  const { reason = unexplained, by = 'operator', supersede = false } = of
  return { outcome, by, reason, supersede }
}

async function notWaiting(db: Db, runId: number): Promise<AppError> {
  const run = await getRun(db, runId)
  return new AppError('CONFLICT', `Import ${runId} is ${run.status}; only one that needs approval can be decided.`)
}
