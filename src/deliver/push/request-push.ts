/**
 * Requests the leads of an order in a destination, inside the caller's transaction: the push and the wake-up of the
 * reconciler commit together or not at all. Idempotent.
 */
import type { Queryable } from '../../db/db.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { requireNoApproval } from '../destinations/deliver-when.ts'
import { accountSuspended } from '../lease/lease.ts'
import { enqueuePush } from './enqueue.ts'

export interface PushRequest {
  readonly orderId: string
  readonly destinationId: string
}

export interface ApprovedRequest extends PushRequest {
  /** True if a plan was approved by its hash. */
  readonly approved?: boolean
}

/**
 * A paused or broken destination accepts the request; it is kept until the destination resumes.
 * @throws AppError NOT_FOUND unless the destination's account owns the order, CONFLICT unless that is paid,
 * ACCOUNT_SUSPENDED.
 */
export async function checkPush(db: Queryable, { orderId, destinationId }: PushRequest): Promise<void> {
  const rows =
    isUuid(orderId) && isUuid(destinationId)
      ? await db.query<{ paymentStatus: string; suspended: boolean }>(
          `SELECT p.payment_status AS "paymentStatus", a.suspended_at IS NOT NULL AS suspended
           FROM orders.purchase p
           JOIN deliver.destination d ON d.account_id = p.account_id
           JOIN access.account a ON a.account_id = p.account_id
           WHERE p.order_id = $1 AND d.destination_id = $2 AND d.status <> 'removed'`,
          [orderId, destinationId],
        )
      : []
  const [found] = rows
  if (!found) throw new AppError('NOT_FOUND', 'The order and the destination do not exist in one account.')
  if (found.suspended) throw new AppError('ACCOUNT_SUSPENDED', accountSuspended)
  if (found.paymentStatus !== 'paid') {
    throw new AppError('CONFLICT', `Only a paid order is delivered; this one is ${found.paymentStatus}`)
  }
}

export async function requestPush(
  tx: Queryable,
  queue: JobSender,
  request: ApprovedRequest,
): Promise<{ readonly pushId: string }> {
  await checkPush(tx, request)
  const { orderId, destinationId } = request
  if (request.approved !== true) await requireUnapproved(tx, destinationId)
  const [row] = await tx.query<{ pushId: string }>(
    `INSERT INTO deliver.push (destination_id, order_id, status) VALUES ($1, $2, 'queued') RETURNING push_id AS "pushId"`,
    [destinationId, orderId],
  )
  if (!row) throw new Error('the push was not stored')
  await enqueuePush(tx, { orderId, destinationId, ...row })
  await queue.send(tx, queues.deliverLeads, { destinationId })
  return row
}

async function requireUnapproved(tx: Queryable, destinationId: string): Promise<void> {
  const [row] = await tx.query<{ deliver: string }>(
    'SELECT deliver FROM deliver.destination WHERE destination_id = $1',
    [destinationId],
  )
  requireNoApproval(row?.deliver, 'plan the push, then push with its hash')
}
