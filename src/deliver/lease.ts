/**
 * One push at a time writes into a destination: two upserts of one external id at once are refused by the CRMs. The lease
 * passes to the next attempt of the same push at once, since the queue runs it again only when it takes the first for dead.
 */
import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Attempt, leaseLost } from './push-ledger.ts'
import { accountSuspended } from './request-push.ts'

const leaseSeconds = 300
const busyRetryMs = 3_000

/** @returns null when the push is finished already. @throws AppError NOT_FOUND, CONFLICT (paused, or busy: later). */
export async function beginAttempt(db: Db, pushId: string): Promise<Attempt | null> {
  const fence = randomUUID()
  return db.transaction(async (tx) => {
    // The push row first, then the destination: every writer takes the locks in this order.
    const [push] = await tx.query<{ status: string; orderId: string; destinationId: string }>(
      `SELECT status, order_id AS "orderId", destination_id AS "destinationId" FROM deliver.push
       WHERE push_id = $1 FOR UPDATE`,
      [pushId],
    )
    if (!push) throw new AppError('NOT_FOUND', `There is no push ${pushId}`)
    if (push.status === 'finished') return null
    // Taken when free, expired, or held by an earlier attempt of this push, whose fence the next statement breaks.
    const leased = await tx.execute(
      `UPDATE deliver.destination
       SET leased_to = $2, leased_until = clock_timestamp() + $3 * interval '1 second'
       WHERE destination_id = $1
         AND (leased_to IS NULL OR leased_to = $2 OR leased_until < clock_timestamp())`,
      [push.destinationId, pushId, leaseSeconds],
    )
    if (leased === 0) {
      throw new AppError('CONFLICT', 'Another push is writing into this destination', {
        retry: { afterMs: busyRetryMs },
      })
    }
    await tx.execute(`UPDATE deliver.push SET status = 'running', fence = $2, error = NULL WHERE push_id = $1`, [
      pushId,
      fence,
    ])
    return { pushId, orderId: push.orderId, destinationId: push.destinationId, fence }
  })
}

/**
 * Before every call to the CRM. @throws AppError LEASE_LOST; CONFLICT when the destination was paused meanwhile,
 * ACCOUNT_SUSPENDED when its account was.
 */
export async function renewLease(db: Db, { pushId, destinationId, fence }: Attempt): Promise<void> {
  const [row] = await db.query<{ status: string; reason: string | null; suspended: boolean }>(
    `UPDATE deliver.destination d SET leased_until = clock_timestamp() + $4 * interval '1 second'
     WHERE destination_id = $1 AND leased_to = $2
       AND EXISTS (SELECT FROM deliver.push WHERE push_id = $2 AND fence = $3)
     RETURNING status, status_reason AS reason,
       EXISTS (SELECT FROM access.account a WHERE a.account_id = d.account_id
         AND (a.suspended_at IS NOT NULL OR a.erased_at IS NOT NULL)) AS suspended`,
    [destinationId, pushId, fence, leaseSeconds],
  )
  if (!row) throw leaseLost()
  if (row.suspended) throw accountSuspended()
  if (row.status !== 'active') {
    throw new AppError('CONFLICT', `The destination is ${row.status}: ${row.reason ?? 'no reason given'}`)
  }
}

export async function releaseLease(db: Db, { pushId, destinationId, fence }: Attempt): Promise<void> {
  // Only the attempt that holds the lease gives it back; one that lost it leaves the holder alone.
  await db.execute(
    `UPDATE deliver.destination SET leased_to = NULL, leased_until = NULL
     WHERE destination_id = $1 AND leased_to = $2
       AND EXISTS (SELECT FROM deliver.push WHERE push_id = $2 AND fence = $3)`,
    [destinationId, pushId, fence],
  )
}
