/** What happened is told the account's webhooks and, by e-mail, itself: written in the transaction that makes it true. */
import type { Queryable } from '../db/db.ts'
import type { EventData, EventType } from './event-types.ts'
import { type EventMail, queueMail } from './mails/queue-mail.ts'
import { emit } from './webhooks/emit.ts'

/** @param mail what its e-mail is about, and says where that is less than the webhooks get. */
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
