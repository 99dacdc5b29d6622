/**
 * An event becomes an e-mail to its account, written in the transaction that makes it true. It waits a little, so that what
 * belongs together is told once: the refusals of many batches, or a CRM that was away for a moment.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { type EventType, events } from '../event-types.ts'

const queueSql = sqlFile(import.meta.url, 'queue-mail.sql')

export interface EventMail {
  /** One waits for each of these at a time. */
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
