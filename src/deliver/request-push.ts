/** A push is asked for inside the caller's transaction: the row and its job commit together or not at all. */
import type { Queryable } from '../db/db.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'

export interface PushRequest {
  readonly orderId: string
  readonly destinationId: string
}

/**
 * @throws AppError NOT_FOUND unless the destination's account owns the order, CONFLICT unless both are ready for it,
 * ACCOUNT_SUSPENDED.
 */
export async function checkPush(db: Queryable, { orderId, destinationId }: PushRequest): Promise<void> {
  const rows =
    isUuid(orderId) && isUuid(destinationId)
      ? await db.query<{ paymentStatus: string; status: string; reason: string | null; suspended: boolean }>(
          `SELECT p.payment_status AS "paymentStatus", d.status, d.status_reason AS reason,
             a.suspended_at IS NOT NULL AS suspended
           FROM orders.purchase p
           JOIN deliver.destination d ON d.account_id = p.account_id
           JOIN access.account a ON a.account_id = p.account_id
           WHERE p.order_id = $1 AND d.destination_id = $2 AND d.status <> 'removed'`,
          [orderId, destinationId],
        )
      : []
  const [found] = rows
  if (!found) throw new AppError('NOT_FOUND', 'The order and the destination do not exist in one account')
  if (found.suspended) throw accountSuspended()
  if (found.paymentStatus !== 'paid') {
    throw new AppError('CONFLICT', `Only a paid order is delivered; this one is ${found.paymentStatus}`)
  }
  if (found.status !== 'active') {
    throw new AppError(
      'CONFLICT',
      `The destination is ${found.status}: ${found.reason ?? 'no reason given'}. Resume it first`,
    )
  }
}

export function accountSuspended(): AppError {
  return new AppError('ACCOUNT_SUSPENDED', 'The account is suspended; its leads are not delivered')
}

export async function requestPush(
  tx: Queryable,
  queue: JobSender,
  request: PushRequest,
): Promise<{ readonly pushId: string }> {
  await checkPush(tx, request)
  const [row] = await tx.query<{ pushId: string }>(
    `INSERT INTO deliver.push (destination_id, order_id, status) VALUES ($1, $2, 'queued') RETURNING push_id AS "pushId"`,
    [request.destinationId, request.orderId],
  )
  if (!row) throw new Error('the push was not stored')
  await queue.send(tx, queues.pushLeads, { pushId: row.pushId })
  return row
}
