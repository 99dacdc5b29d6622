/**
 * Runs dead letters again. With `all`, letters whose work was done since they failed are left: a backup would be
 * written once more, and a day lowered that a later import has corrected. They stay, with the reason, until they are
 * named explicitly or discarded.
 */
import { newestBackups } from '../audit/newest-backup.ts'
import type { Queryable } from '../db/db.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import { chosen, type DeadLetter, listDeadLetters, redriveDeadLetters, type Selection } from '../queue/dead-letters.ts'
import type { QueueHandle } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'

export interface LeftLetter {
  readonly job_id: string
  readonly queue: string | null
  readonly reason: string
}

export interface Redriven {
  readonly redriven: number
  readonly left: readonly LeftLetter[]
}

/** @throws AppError NOT_FOUND */
export async function redriveWanted(db: Queryable, queue: QueueHandle, selection: Selection): Promise<Redriven> {
  const { jobIds, left } = await findWanted(db, selection)
  return { redriven: await redriveDeadLetters(db, queue, { jobIds }), left }
}

export interface Wanted {
  readonly jobIds: string[]
  readonly left: LeftLetter[]
}

/** @throws AppError NOT_FOUND */
export async function findWanted(db: Queryable, selection: Selection): Promise<Wanted> {
  if (selection !== 'all') return { jobIds: await chosen(db, selection), left: [] }
  const letters = await listDeadLetters(db)
  const checked = await Promise.all(
    letters.map(async (letter) => ({ ...letter, reason: await reasonToLeave(db, letter) })),
  )
  const left = checked.flatMap(({ job_id, queue, reason }) => (reason === undefined ? [] : [{ job_id, queue, reason }]))
  return { jobIds: checked.flatMap(({ job_id, reason }) => (reason === undefined ? [job_id] : [])), left }
}

async function reasonToLeave(db: Queryable, letter: DeadLetter): Promise<string | undefined> {
  // A manual backup is not a job, and a job without a backup folder succeeds without writing one.
  if (letter.queue === queues.writeBackup.name) return backupSince(db, letter)
  if (letter.queue === queues.lowerScope.name) {
    const applied = await importSince(db, letter)
    if (applied) return applied
  }
  return sameSince(db, letter)
}

async function backupSince(db: Queryable, { failed_at }: DeadLetter): Promise<string | undefined> {
  const { written } = await newestBackups(db)
  if (!written || written.finishedAt <= failed_at) return undefined
  return `${written.file} was written since, at ${shownInstant(written.finishedAt)}.`
}

async function importSince(db: Queryable, { payload, failed_at }: DeadLetter): Promise<string | undefined> {
  const [run] = await db.query<{ runId: number }>(
    `SELECT run_id AS "runId" FROM ingest.run
     WHERE source = $1 AND status = 'succeeded' AND finished_at > $2 AND as_of > $3::date ORDER BY run_id DESC LIMIT 1`,
    [payload['source'], failed_at, payload['to']],
  )
  if (!run) return undefined
  return `A later import of ${String(payload['source'])} was applied since, run ${run.runId}; lower the day again if it is still wrong.`
}

/** Sealed parts of a payload differ each time. */
async function sameSince(db: Queryable, { queue, payload, failed_at }: DeadLetter): Promise<string | undefined> {
  const [done] = await db.query<{ at: Date }>(
    `SELECT completed_on AS at FROM pgboss.job
     WHERE name = $1 AND state = 'completed' AND completed_on > $2 AND coalesce(data, '{}') - 'sealed' = $3::jsonb - 'sealed'
     ORDER BY completed_on DESC LIMIT 1`,
    [queue, failed_at, JSON.stringify(payload)],
  )
  return done && `The same job succeeded since, at ${shownInstant(done.at)}.`
}
