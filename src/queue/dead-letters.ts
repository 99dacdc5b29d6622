/** Jobs that failed for good: list them with their error, run them again (redrive) or discard them. */
import type { Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import type { QueueHandle } from './queue.ts'
import { deadLetterQueue } from './queues.ts'

/** A dead letter as `panji jobs dead --json` prints it. */
export interface DeadLetter {
  readonly job_id: string
  /** Null for a job enqueued by a version that did not record the queue. */
  readonly queue: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** Code and message of the last failure, if it left any. */
  readonly code: string | null
  readonly message: string | null
  readonly attempts: number | null
  readonly failed_at: Date
}

/** The payload without sealed addresses, for lists that HTTP clients see. */
export const shownPayload = ({ sealed: _, ...payload }: DeadLetter['payload']): DeadLetter['payload'] => payload

export type Selection = { readonly jobIds: readonly string[] } | 'all'

/** @returns the oldest first; empty before the first use of the queue, which creates its own tables. */
export async function listDeadLetters(db: Queryable): Promise<DeadLetter[]> {
  const [used] = await db.query<{ used: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS used`)
  if (used?.used !== true) return []
  return db.query<DeadLetter>(
    `SELECT id AS job_id, source_name AS queue, coalesce(data, '{}') AS payload, source_output->>'code' AS code,
            source_output->>'message' AS message, source_retry_count + 1 AS attempts, created_on AS failed_at
       FROM pgboss.job WHERE name = $1 AND state = 'created' ORDER BY created_on, id`,
    [deadLetterQueue],
  )
}

/**
 * Returns dead letters to their queues with a full set of attempts.
 * @returns how many.
 * @throws AppError NOT_FOUND
 */
export async function redriveDeadLetters(db: Queryable, queue: QueueHandle, selection: Selection): Promise<number> {
  return settling.redrive(queue, await chosen(db, selection))
}

/**
 * Deletes dead letters permanently.
 * @returns how many.
 * @throws AppError NOT_FOUND
 */
export async function discardDeadLetters(db: Queryable, queue: QueueHandle, selection: Selection): Promise<number> {
  return settling.discard(queue, await chosen(db, selection))
}

/** By the ids of letters that are there. @returns how many. */
const settling = {
  redrive: async ({ boss }: QueueHandle, ids: string[]): Promise<number> =>
    ids.length === 0 ? 0 : boss.redrive(deadLetterQueue, { ids, limit: ids.length }),
  discard: async ({ boss }: QueueHandle, ids: string[]): Promise<number> => {
    if (ids.length > 0) await boss.deleteJob(deadLetterQueue, ids)
    return ids.length
  },
}

/**
 * @returns the ids of the selection.
 * @throws AppError NOT_FOUND for an id that no dead letter has.
 */
export async function chosen(db: Queryable, selection: Selection): Promise<string[]> {
  const waiting = (await listDeadLetters(db)).map((letter) => letter.job_id)
  if (selection === 'all') return waiting
  const missing = selection.jobIds.filter((id) => !waiting.includes(id))
  if (missing.length === 0) return [...selection.jobIds]
  throw new AppError(
    'NOT_FOUND',
    `No dead letter has the id ${missing.join(', ')}. \`panji jobs dead\` lists the ${waiting.length} there are.`,
  )
}

/**
 * Carries out an operator's decision. It was made a moment ago, so letters that have gone since (run again or discarded
 * by another operator) are skipped, not reported as errors.
 */
export async function settleDeadLetters(
  db: Queryable,
  queue: QueueHandle,
  { act, jobIds }: { readonly act: 'redrive' | 'discard'; readonly jobIds: readonly string[] },
): Promise<number> {
  const waiting = new Set((await listDeadLetters(db)).map((letter) => letter.job_id))
  return settling[act](
    queue,
    jobIds.filter((id) => waiting.has(id)),
  )
}
