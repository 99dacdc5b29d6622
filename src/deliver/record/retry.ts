/**
 * Retries what the CRM rejected or deferred: such records are due at once, and keep their number of attempts. A
 * second run finds nothing rejected.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { isUuid } from '../../domain/uuid.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'

export interface RetrySelection {
  readonly accountId?: string | undefined
  readonly deliveryId?: string | undefined
  readonly orderId?: string | undefined
  readonly destinationId?: string | undefined
  /** True for a change of the destination: where only approved plans are delivered, rejected leads wait for one. */
  readonly isUnasked?: boolean
}

const retrySql = sqlFile(import.meta.url, 'retry.sql')

/** @returns how many deliveries are retried. A malformed id matches nothing. */
export async function retryDeliveries(tx: Queryable, queue: JobSender, selection: RetrySelection): Promise<number> {
  const ids = [selection.accountId, selection.deliveryId, selection.orderId, selection.destinationId]
  if (ids.some((id) => id !== undefined && !isUuid(id))) return 0
  const rows = await tx.query<{ destinationId: string; deliveries: number }>(retrySql, [
    ...ids.map((id) => id ?? null),
    selection.isUnasked ?? false,
  ])
  for (const { destinationId } of rows) await queue.send(tx, queues.deliverLeads, { destinationId })
  return rows.reduce((sum, { deliveries }) => sum + deliveries, 0)
}
