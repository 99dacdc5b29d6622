/** What happened to an account's deliveries is told its webhooks and, by e-mail, itself: written where it becomes true. */
import type { Queryable } from '../db/db.ts'
import type { EventType } from './event-types.ts'
import { queueMail } from './mails/queue-mail.ts'
import { emit } from './webhooks/emit.ts'

/** @param data what the receiver gets beside type and time; never a secret. */
export async function announce(tx: Queryable, destinationId: string, type: EventType, data: object): Promise<void> {
  await emit(tx, destinationId, type, data)
  await queueMail(tx, destinationId, type, data)
}
