/**
 * Announces events of a destination to the account that owns it; its e-mails use the account's name for the
 * destination.
 */
import type { Queryable } from '../../db/db.ts'
import { announce } from '../../notify/announce.ts'
import type { EventData, EventType } from '../../notify/event-types.ts'
import { orderInMail } from '../../notify/mails/order-in-mail.ts'

/** Event types whose data names a destination. */
type DestinationEvent = {
  [T in EventType]: EventData<T> extends { destination_id: string } ? T : never
}[EventType]

const recordsMax = 10

/** @param data what webhooks receive in addition to `destination_id`; never a secret. */
export async function announceOfDestination<T extends DestinationEvent>(
  tx: Queryable,
  destinationId: string,
  type: T,
  data: Omit<EventData<T>, 'destination_id'>,
): Promise<void> {
  const [owner] = await tx.query<{ accountId: string; name: string }>(
    'SELECT account_id AS "accountId", name FROM deliver.destination WHERE destination_id = $1',
    [destinationId],
  )
  if (!owner) return
  const payload = { destination_id: destinationId, ...data } as unknown as EventData<T>
  // Each CRM of an order sends its own e-mail; none replaces another's.
  const about = 'order_id' in data ? `${String(data.order_id)} ${destinationId}` : destinationId
  const order = 'order_id' in data ? await orderInMail(tx, String(data.order_id)) : {}
  const mail = { about, data: { ...mailed(payload), ...order, destination_id: destinationId, destination: owner.name } }
  await announce(tx, owner.accountId, type, payload, mail)
}

/**
 * E-mail is not confidential: for a waiting lead it names the record, for a rejected row the record and the CRM's
 * code, and it never contains values of the row.
 */
function mailed(data: object): object {
  if ('matches' in data) {
    const { matches } = data as EventData<'delivery.needs_decision'>
    return { count: matches.length, codes: {}, records: matches.slice(0, recordsMax).map(({ record }) => record) }
  }
  if (!('rejects' in data)) return data
  const { rejects } = data as EventData<'delivery.rejected'>
  const codes: Record<string, number> = {}
  for (const { code } of rejects) codes[code] = (codes[code] ?? 0) + 1
  const records = rejects.slice(0, recordsMax).map(({ record, code }) => `${record} (${code})`)
  return { count: rejects.length, codes, records }
}
