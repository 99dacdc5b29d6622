/**
 * A person who resumes, tests or changes a destination wants another try of what waits there: leads that the CRM deferred, for want of
 * room or for a lock, are due now and not when their own time is up. Those that wait for somebody's decision go on waiting for it.
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
