/**
 * When a person resumes, tests or changes a destination, leads that the CRM deferred (over a limit, or a lock) become
 * due at once instead of at their retry time. Leads that wait for a decision keep waiting.
 */
import type { Queryable } from '../../db/db.ts'
import { undecidedCode } from './undecided-code.ts'

export async function dueAtOnce(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET next_attempt_at = NULL
     WHERE destination_id = $1 AND state = 'pending' AND next_attempt_at > clock_timestamp()
       AND last_error ->> 'code' IS DISTINCT FROM $2`,
    [destinationId, undecidedCode],
  )
}

/**
 * When the scores or the settings by which leads are matched change, those that wait for a decision are matched again
 * at once.
 */
export async function matchAgain(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(
    `UPDATE deliver.record SET attempts = 0, next_attempt_at = NULL
     WHERE destination_id = $1 AND state = 'pending' AND last_error ->> 'code' = $2`,
    [destinationId, undecidedCode],
  )
}
