/**
 * When a person resumes, tests or changes a destination, leads that the CRM deferred (over a limit, or a lock) become
 * due at once instead of at their retry time. Leads that wait for a decision keep waiting.
 */
import type { Queryable } from '../../db/db.ts'
import { undecidedCode } from './undecided-code.ts'

export async function dueAtOnce(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(
    `UPDATE deliver.record r SET next_attempt_at = NULL
     FROM (SELECT destination_id, external_id FROM deliver.record
       WHERE destination_id = $1 AND state = 'pending' AND next_attempt_at > clock_timestamp()
         AND last_error ->> 'code' IS DISTINCT FROM $2
       -- All writers lock the rows in this order.
       ORDER BY external_id FOR UPDATE) AS waiting
     WHERE r.destination_id = waiting.destination_id AND r.external_id = waiting.external_id`,
    [destinationId, undecidedCode],
  )
}

/**
 * When the scores or the settings by which leads are matched change, those that wait for a decision are matched again
 * at once.
 */
export async function matchAgain(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(
    `UPDATE deliver.record r SET attempts = 0, next_attempt_at = NULL
     FROM (SELECT destination_id, external_id FROM deliver.record
       WHERE destination_id = $1 AND state = 'pending' AND last_error ->> 'code' = $2
       ORDER BY external_id FOR UPDATE) AS undecided
     WHERE r.destination_id = undecided.destination_id AND r.external_id = undecided.external_id`,
    [destinationId, undecidedCode],
  )
}
