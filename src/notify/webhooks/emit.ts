/** An event is written where it becomes true, with a notice for each webhook that hears of its type; nothing for accounts without. */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { EventType } from '../event-types.ts'

const emitSql = sqlFile(import.meta.url, 'emit.sql')

/** @param data what the receiver gets beside type and time; never a secret. */
export async function emit(tx: Queryable, accountId: string, type: EventType, data: object): Promise<void> {
  await tx.execute(emitSql, [accountId, type, JSON.stringify(data)])
}
