/**
 * An event is written where it becomes true, with a notice for each webhook that hears of its type; nothing for accounts without.
 * Two statements, since a request may write notices of events that its account has, and a statement does not see its own.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { EventType } from '../event-types.ts'

const emitSql = sqlFile(import.meta.url, 'emit.sql')

/** @param data what the receiver gets beside type and time; never a secret. */
export async function emit(tx: Queryable, accountId: string, type: EventType, data: object): Promise<void> {
  const [event] = await tx.query<{ eventId: string }>(emitSql, [accountId, type, JSON.stringify(data)])
  if (!event) return
  await tx.execute(
    `INSERT INTO deliver.notice (event_id, webhook_id) SELECT e.event_id, w.webhook_id
     FROM deliver.event e JOIN deliver.webhook w ON w.account_id = e.account_id AND w.removed_at IS NULL AND e.type = ANY(w.events)
     WHERE e.event_id = $1`,
    [event.eventId],
  )
}
