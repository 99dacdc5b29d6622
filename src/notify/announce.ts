/** Notifies the account's webhooks and, by e-mail, the account itself: written in the transaction of the event. */
import type { Queryable } from '../db/db.ts'
import type { EventData, EventType } from './event-types.ts'
import { type EventMail, queueMail } from './mails/queue-mail.ts'
import { emit } from './webhooks/emit.ts'

/** @param mail the subject of its e-mail, and its data where that is less than the webhooks get. */
export async function announce<T extends EventType>(
  tx: Queryable,
  accountId: string,
  type: T,
  data: EventData<T>,
  mail: EventMail,
): Promise<void> {
  await emit(tx, accountId, type, data)
  await queueMail(tx, accountId, type, { data, ...mail })
}
