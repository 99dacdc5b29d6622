/**
 * Writes an event in its transaction, with a notice for each webhook that subscribes to its type; nothing for accounts
 * without. Two statements, because the policy only lets a request write notices of events that its account has, and a
 * statement does not see its own rows.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { EventType } from '../event-types.ts'

const emitSql = sqlFile(import.meta.url, 'emit.sql')

/** @param data what the receiver gets in addition to type and time; never a secret. */
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
