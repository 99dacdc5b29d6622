/**
 * Queues an e-mail about an event to its account, in the transaction of the event. It waits a little, so that related
 * events are sent together: the rejects of many batches, or a CRM that was briefly unavailable.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { type EventType, events } from '../event-types.ts'

const queueSql = sqlFile(import.meta.url, 'queue-mail.sql')

export interface EventMail {
  /** At most one pending e-mail for each of these. */
  readonly about: string
  readonly data?: object
}

export async function queueMail(
  tx: Queryable,
  accountId: string,
  type: EventType,
  { about, data = {} }: EventMail,
): Promise<void> {
  const { mailWaitsSeconds, ends } = events[type] as { readonly mailWaitsSeconds: number; readonly ends?: string }
  await tx.execute(queueSql, [accountId, type, JSON.stringify(data), about, mailWaitsSeconds, ends ?? null])
}
