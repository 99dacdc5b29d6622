/** Jobs that failed for good: what they were and why, and the two ways out, to run again or to be dropped. */
import type { Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import type { QueueHandle } from './queue.ts'
import { deadLetterQueue } from './queues.ts'

/** A dead letter as `panji jobs dead --json` prints it. */
export interface DeadLetter {
  readonly job_id: string
  /** The queue that it failed on; null for a job of a version that did not keep it. */
  readonly queue: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** Code and message of the last failure, where it left one. */
  readonly code: string | null
  readonly message: string | null
  readonly attempts: number | null
  readonly failed_at: Date
}

/** Where jobs are told over HTTP, without what of an address is sealed. */
export const shownPayload = ({ sealed: _, ...payload }: DeadLetter['payload']): DeadLetter['payload'] => payload

/** Which dead letters: some by id, or all of them. */
export type Selection = { readonly jobIds: readonly string[] } | 'all'

/** @returns the oldest first. The queue makes its own tables when it is first used. */
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

/** Puts dead letters back into their queues with all attempts. @returns how many. @throws AppError NOT_FOUND */
export async function redriveDeadLetters(db: Queryable, queue: QueueHandle, selection: Selection): Promise<number> {
  const ids = await chosen(db, selection)
  return ids.length === 0 ? 0 : queue.boss.redrive(deadLetterQueue, { ids, limit: ids.length })
}

/** Drops dead letters for good. @returns how many. @throws AppError NOT_FOUND */
export async function discardDeadLetters(db: Queryable, queue: QueueHandle, selection: Selection): Promise<number> {
  const ids = await chosen(db, selection)
  if (ids.length > 0) await queue.boss.deleteJob(deadLetterQueue, ids)
  return ids.length
}

/** @returns the ids that are meant. @throws AppError NOT_FOUND for one that no dead letter has. */
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

/** What was decided a moment ago: letters that are gone by now, since the job ran before or somebody was quicker, are no fault. */
export async function settleDeadLetters(
  db: Queryable,
  queue: QueueHandle,
  { act, jobIds }: { readonly act: 'redrive' | 'discard'; readonly jobIds: readonly string[] },
): Promise<number> {
  const waiting = new Set((await listDeadLetters(db)).map((letter) => letter.job_id))
  const left = { jobIds: jobIds.filter((id) => waiting.has(id)) }
  return act === 'redrive' ? redriveDeadLetters(db, queue, left) : discardDeadLetters(db, queue, left)
}
