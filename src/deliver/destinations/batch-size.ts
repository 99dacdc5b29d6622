/**
 * How many leads one push holds: at most what the connector accepts, what fills one call of the session, what the
 * customer set, and what the CRM has been seen to accept. The last is learned per session and stored with the
 * destination until it is tested or gets new settings.
 */
import type { Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Lease } from '../lease/lease.ts'
import type { OpenDestination } from './open-destination.ts'

export const batchSizeMax = 10_000

type Sized = Pick<OpenDestination, 'connector' | 'session' | 'batchSize'>

export function batchSizeOf({ connector, session, batchSize }: Sized): number {
  const { leadsPerPush = connector.batchSizeMax, learnedBatchSize = connector.batchSizeMax } = session
  return Math.min(connector.batchSizeMax, leadsPerPush, learnedBatchSize, batchSize ?? connector.batchSizeMax)
}

/** True if the CRM accepts less than a full call; then it cannot take a bulk job either. */
export function isNarrow({ connector, session, batchSize }: Sized): boolean {
  return (
    Math.min(batchSize ?? connector.batchSizeMax, session.learnedBatchSize ?? connector.batchSizeMax) <
    connector.batchSizeMax
  )
}

/** Idempotent; if two sessions learn different sizes, the smaller one is kept. */
export async function rememberBatchSize(
  db: Queryable,
  { destinationId, fence }: Lease,
  { session, batchSize }: Sized,
): Promise<void> {
  const { learnedBatchSize: learned } = session
  if (learned === undefined || (batchSize !== null && learned >= batchSize)) return
  await db.execute(
    `UPDATE deliver.destination SET learned_batch_size = least(learned_batch_size, $3)
     WHERE destination_id = $1 AND leased_to = $2 AND learned_batch_size IS DISTINCT FROM least(learned_batch_size, $3)`,
    [destinationId, fence, learned],
  )
}

/** @throws AppError DESTINATION_INVALID */
export function readBatchSize(size: number | null): number | null {
  if (size === null || (Number.isInteger(size) && size >= 1 && size <= batchSizeMax)) return size
  throw new AppError('DESTINATION_INVALID', `batch_size: ${size} is not a whole number from 1 to ${batchSizeMax}`)
}
