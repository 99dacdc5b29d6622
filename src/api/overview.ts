/**
 * The state of an installation for one screen. Read at most once in two seconds per process, however many watch: the
 * others share the latest or pending reading. Counts use indexes and small tables; nothing reads a register.
 */
import { sources } from '../../config/sources/index.ts'
import { newestBackups } from '../audit/newest-backup.ts'
import type { Db, Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { openConditions } from '../health/open-conditions.ts'
import { lastProof } from '../orders/ledger-check.ts'
import { recentQueueWarnings } from '../queue/queue-warnings.ts'
import { deadLetterQueue } from '../queue/queues.ts'
import { workerIsPresent } from '../queue/worker-presence.ts'

const sharedMs = 2_000
/** Broken destinations that are named; all are counted. */
const namedMax = 20

interface SourceState {
  readonly source: string
  readonly takenInAt: Date | null
  readonly lastRunId: number | null
  readonly lastStatus: string | null
  readonly waitingRuns: readonly number[]
}

export type Overview = Awaited<ReturnType<typeof readOverview>>

/** @param checkKeys throws where the secret key does not match the database. */
export function createOverview(
  db: Db,
  checkKeys: () => Promise<void>,
  nowMs: () => number = () => performance.now(),
): () => Promise<Overview> {
  let reading: Promise<Overview> | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (reading && nowMs() - readAtMs < sharedMs) return reading
    readAtMs = nowMs()
    const mine = readOverview(db, checkKeys)
    reading = mine
    // A failure is reported to those who waited for it, and the next caller retries.
    mine.catch(() => {
      if (reading === mine) reading = undefined
    })
    return mine
  }
}

async function readOverview(db: Db, checkKeys: () => Promise<void>) {
  const isKeyRight = await checkKeys().then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'SECRET_KEY_WRONG') return false
      throw error
    },
  )
  const queues = await readQueues(db)
  const proof = await lastProof(db)
  return {
    readAt: new Date(),
    isKeyRight,
    isWorkerPresent: await workerIsPresent(db),
    queues: queues.filter(({ queue }) => queue !== deadLetterQueue),
    deadLetters: queues.find(({ queue }) => queue === deadLetterQueue)?.waiting ?? 0,
    queueWarnings: await recentQueueWarnings(db),
    sources: await readSources(db),
    destinations: await db.query<{ status: string; count: number }>(
      `SELECT status, count(*) AS count FROM deliver.destination WHERE status <> 'removed' GROUP BY status ORDER BY status`,
    ),
    deliveries: await readDeliveryLag(db),
    broken: await db.query<{ destinationId: string; accountId: string; name: string; reason: string | null }>(
      `SELECT destination_id AS "destinationId", account_id AS "accountId", name, status_reason AS reason
       FROM deliver.destination WHERE status = 'broken' ORDER BY created_at, destination_id LIMIT $1`,
      [namedMax],
    ),
    conditions: await openConditions(db),
    backups: await newestBackups(db),
    proof: proof && { provedAt: proof.provedAt, transfers: proof.transfers, violations: proof.violations.length },
  }
}

/** Orders being delivered to CRMs that are not paused; one that waits for a person to resume its CRM is not late. */
async function readDeliveryLag(db: Queryable) {
  const [lag] = await db.query<{ pushes: number; oldestSeconds: number | null }>(
    `SELECT count(*) AS pushes, extract(epoch FROM now() - min(requested_at))::float8 AS "oldestSeconds"
     FROM deliver.push JOIN deliver.destination d USING (destination_id)
     WHERE push.status IN ('queued', 'running') AND d.status IN ('active', 'broken')`,
  )
  return lag ?? { pushes: 0, oldestSeconds: null }
}

/** The queue creates its own tables when it is first used. */
async function readQueues(db: Queryable) {
  const [used] = await db.query<{ used: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS used`)
  if (used?.used !== true) return []
  return db.query<{ queue: string; waiting: number; active: number; oldestSeconds: number | null }>(
    `SELECT name AS queue, count(*) FILTER (WHERE state <> 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS active,
            extract(epoch FROM now() - min(start_after) FILTER (WHERE state <> 'active' AND start_after <= now()))::float8
              AS "oldestSeconds"
     FROM pgboss.job WHERE state IN ('created', 'retry', 'active') GROUP BY name ORDER BY name`,
  )
}

/** Every configured source, including those never ingested. */
async function readSources(db: Queryable): Promise<SourceState[]> {
  return db.query<SourceState>(
    `SELECT source, t.finished_at AS "takenInAt", l.run_id AS "lastRunId", l.status AS "lastStatus",
            coalesce(w.runs, '{}') AS "waitingRuns"
     FROM unnest($1::text[]) WITH ORDINALITY AS s(source, place)
     LEFT JOIN LATERAL (SELECT max(finished_at) AS finished_at FROM ingest.run r
       WHERE r.source = s.source AND r.status IN ('succeeded', 'no_op')) t ON true
     LEFT JOIN LATERAL (SELECT run_id, status FROM ingest.run r WHERE r.source = s.source ORDER BY run_id DESC LIMIT 1) l ON true
     LEFT JOIN LATERAL (SELECT array_agg(run_id::float8 ORDER BY run_id) AS runs FROM ingest.run r
       WHERE r.source = s.source AND r.status = 'needs_approval') w ON true
     ORDER BY place`,
    [sources.map(({ name }) => name)],
  )
}
