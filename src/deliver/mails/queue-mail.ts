/**
 * An event becomes an e-mail to its account, written in the transaction that makes it true. It waits a little, so that what
 * belongs together is told once: the refusals of many batches, or a CRM that was away for a moment.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { EventType } from '../event-types.ts'

const queueSql = sqlFile(import.meta.url, 'queue-mail.sql')

/** Seconds that an e-mail waits for what belongs to it. */
const waits: Readonly<Record<EventType, number>> = {
  'order.delivered': 0,
  'delivery.rejected': 300,
  'destination.broken': 120,
  'destination.recovered': 0,
}
const recordsMax = 10

export async function queueMail(tx: Queryable, destinationId: string, type: EventType, data: object): Promise<void> {
  const told = mailData(type, data)
  await tx.execute(queueSql, [destinationId, type, JSON.stringify(told.data), told.about ?? destinationId, waits[type]])
}

/** E-mail is no safe place: of a refused row it tells the record and the CRM's code, and nothing that the row says. */
function mailData(type: EventType, data: object): { readonly data: object; readonly about?: string } {
  if (type === 'order.delivered') {
    const { order_id: orderId } = data as { order_id?: string }
    return { data, about: String(orderId) }
  }
  if (type !== 'delivery.rejected') return { data }
  const { rejects } = data as { rejects: readonly { readonly record: string; readonly code: string }[] }
  const codes: Record<string, number> = {}
  for (const { code } of rejects) codes[code] = (codes[code] ?? 0) + 1
  const records = rejects.slice(0, recordsMax).map(({ record, code }) => `${record} (${code})`)
  return { data: { count: rejects.length, codes, records } }
}
