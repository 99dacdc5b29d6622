/**
 * Pauses a destination whose CRM rejects too many leads and notifies its account: a mapping or a rule of the org is
 * wrong, and every further lead would be rejected too. The share is taken over at least a hundred answers; counting
 * restarts after each check and resume.
 */
import type { PushOutcome } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Lease } from '../lease/lease.ts'
import { announceOfDestination } from './announce.ts'

export const pauseShareMin = 0.01
const answersMin = 100

/** @param share null for never. @throws AppError DESTINATION_INVALID */
export function readPauseShare(share: number | null): number | null {
  if (share === null || (share >= pauseShareMin && share <= 1)) return share
  throw new AppError('DESTINATION_INVALID', `pause_at_rejected: ${share} is not a share from ${pauseShareMin} to 1`)
}

/** Called before the outcomes are recorded: the lock on a destination is always taken before those on its records. */
export async function pauseAtRejected(tx: Queryable, lease: Lease, outcomes: readonly PushOutcome[]): Promise<void> {
  const judged = outcomes.filter(isJudged)
  const answered = judged.length
  const rejected = judged.filter(({ status }) => status === 'rejected').length
  const [paused] = await tx.query<{ reason: string }>(
    `UPDATE deliver.destination d SET
       answered_rows = CASE WHEN judged THEN 0 ELSE answered END,
       rejected_rows = CASE WHEN judged THEN 0 ELSE rejected END,
       status = CASE WHEN too_many THEN 'paused' ELSE status END,
       status_reason = CASE WHEN too_many THEN rejected || ' of ' || answered || ' leads were rejected' ELSE status_reason END
     FROM (
       SELECT destination_id, answered, rejected, answered >= $5 AS judged,
         answered >= $5 AND rejected::float8 / nullif(answered, 0) >= pause_at_rejected AS too_many
       FROM (
         SELECT destination_id, pause_at_rejected, answered_rows + $3::integer AS answered, rejected_rows + $4::integer AS rejected
         FROM deliver.destination
         WHERE destination_id = $1 AND leased_to = $2 AND pause_at_rejected IS NOT NULL AND status IN ('active', 'broken')
         FOR NO KEY UPDATE
       ) AS counted
     ) AS seen
     WHERE d.destination_id = seen.destination_id
     RETURNING CASE WHEN too_many THEN d.status_reason END AS reason`,
    [lease.destinationId, lease.fence, answered, rejected, answersMin],
  )
  if (paused?.reason) await announceOfDestination(tx, lease.destinationId, 'delivery.paused', { reason: paused.reason })
}

/** A record that people deleted or merged is no fault of the mapping or of a rule. */
function isJudged(outcome: PushOutcome): boolean {
  const { status } = outcome
  return status === 'rejected' ? outcome.isFate !== true : status !== 'deferred' && status !== 'unknown'
}
