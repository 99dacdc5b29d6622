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
import { sharedReading } from './shared-reading.ts'

const sharedMs = 2_000
/** Broken destinations that are named; all are counted. */
const namedMax = 20

/** @param checkKeys throws where the secret key does not match the database. */
export const createOverview = (db: Db, checkKeys: () => Promise<void>, nowMs?: () => number) =>
  sharedReading(() => readOverview(db, checkKeys), sharedMs, nowMs)

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
  const { written, restored } = await newestBackups(db)
  const destinations = await db.query<{ status: string; count: number }>(
    `SELECT status, count(*) AS count FROM deliver.destination WHERE status <> 'removed' GROUP BY status ORDER BY status`,
  )
  const conditions = await openConditions(db)
  return {
    read_at: new Date().toISOString(),
    worker: { running: await workerIsPresent(db) },
    keys: { secret_key_ok: isKeyRight },
    queues: queues.filter(({ queue }) => queue !== deadLetterQueue),
    queue_warnings: await recentQueueWarnings(db),
    dead_letters: queues.find(({ queue }) => queue === deadLetterQueue)?.waiting ?? 0,
    sources: await readSources(db),
    destinations: Object.fromEntries(destinations.map(({ status, count }) => [status, count])),
    deliveries: await readDeliveryLag(db),
    broken_destinations: await db.query<{
      destination_id: string
      user_id: string
      name: string
      reason: string | null
    }>(
      `SELECT destination_id, account_id AS user_id, name, status_reason AS reason
       FROM deliver.destination WHERE status = 'broken' ORDER BY created_at, destination_id LIMIT $1`,
      [namedMax],
    ),
    conditions: conditions.map(({ since, notifiedAt, ...condition }) => ({
      ...condition,
      since: since.toISOString(),
      told_at: notifiedAt?.toISOString() ?? null,
    })),
    backup: {
      written_at: written?.finishedAt.toISOString() ?? null,
      restored_at: restored?.finishedAt.toISOString() ?? null,
    },
    ledger: proof
      ? { proved_at: proof.provedAt.toISOString(), transfers: proof.transfers, violations: proof.violations.length }
      : null,
  }
}

/** Orders being delivered to CRMs that are not paused; one that waits for a person to resume its CRM is not late. */
async function readDeliveryLag(db: Queryable) {
  const [lag] = await db.query<{ pushes: number; oldest_seconds: number | null }>(
    `SELECT count(*) AS pushes, extract(epoch FROM now() - min(requested_at))::float8 AS oldest_seconds
     FROM deliver.push JOIN deliver.destination d USING (destination_id)
     WHERE push.status IN ('queued', 'running') AND d.status IN ('active', 'broken')`,
  )
  return lag ?? { pushes: 0, oldest_seconds: null }
}

/** The queue creates its own tables when it is first used. */
async function readQueues(db: Queryable) {
  const [used] = await db.query<{ used: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS used`)
  if (used?.used !== true) return []
  return db.query<{ queue: string; waiting: number; active: number; oldest_seconds: number | null }>(
    `SELECT name AS queue, count(*) FILTER (WHERE state <> 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS active,
            extract(epoch FROM now() - min(start_after) FILTER (WHERE state <> 'active' AND start_after <= now()))::float8
              AS oldest_seconds
     FROM pgboss.job WHERE state IN ('created', 'retry', 'active') GROUP BY name ORDER BY name`,
  )
}

/** Every configured source, including those never ingested. */
async function readSources(db: Queryable) {
  const rows = await db.query<{
    source: string
    taken_in_at: Date | null
    last_run_id: number | null
    last_status: string | null
    waiting_runs: number[]
  }>(
    `SELECT source, t.finished_at AS taken_in_at, l.run_id AS last_run_id, l.status AS last_status,
            coalesce(w.runs, '{}') AS waiting_runs
     FROM unnest($1::text[]) WITH ORDINALITY AS s(source, place)
     LEFT JOIN LATERAL (SELECT max(finished_at) AS finished_at FROM ingest.run r
       WHERE r.source = s.source AND r.status IN ('succeeded', 'no_op')) t ON true
     LEFT JOIN LATERAL (SELECT run_id, status FROM ingest.run r WHERE r.source = s.source ORDER BY run_id DESC LIMIT 1) l ON true
     LEFT JOIN LATERAL (SELECT array_agg(run_id::float8 ORDER BY run_id) AS runs FROM ingest.run r
       WHERE r.source = s.source AND r.status = 'needs_approval') w ON true
     ORDER BY place`,
    [sources.map(({ name }) => name)],
  )
  return rows.map((row) => ({ ...row, taken_in_at: row.taken_in_at?.toISOString() ?? null }))
}
