/**
 * How many leads one push holds: no more than the connector takes, the conversation fills a call with, the customer set, and the
 * CRM was seen to bear. What a session learns of the last is kept with its destination, until that is tested or given settings.
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

/** True where the CRM bears less than a call takes: then it bears no job of many either. */
export function isNarrow({ connector, session, batchSize }: Sized): boolean {
  return (
    Math.min(batchSize ?? connector.batchSizeMax, session.learnedBatchSize ?? connector.batchSizeMax) <
    connector.batchSizeMax
  )
}

/** Twice it changes nothing; of two sessions the smaller size holds. */
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
  throw new AppError('DESTINATION_INVALID', `batch_size: ${size} is no whole number from 1 to ${batchSizeMax}`)
}
