/** What an account is told by e-mail: all types of events, but those that it wants no e-mail about. Chosen twice, it stays. */
import type { Queryable } from '../../db/db.ts'
import { type EventType, eventTypes } from '../event-types.ts'

export async function wantedMails(db: Queryable, accountId: string): Promise<EventType[]> {
  const [row] = await db.query<{ unwanted: string[] }>(
    'SELECT unwanted FROM deliver.mail_choice WHERE account_id = $1',
    [accountId],
  )
  return eventTypes.filter((type) => !row?.unwanted.includes(type))
}

export async function chooseMails(
  db: Queryable,
  accountId: string,
  wanted: readonly EventType[],
): Promise<EventType[]> {
  const unwanted = eventTypes.filter((type) => !wanted.includes(type))
  await db.execute(
    `INSERT INTO deliver.mail_choice (account_id, unwanted) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET unwanted = EXCLUDED.unwanted`,
    [accountId, unwanted],
  )
  return wantedMails(db, accountId)
}
