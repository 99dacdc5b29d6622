/**
 * The e-mails of an account: all types of events, except those that it opted out of. Setting the same choice again
 * changes nothing.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { requireRevision, revisionOf } from '../../db/revision.ts'
import { type EventType, eventTypes } from '../event-types.ts'

export async function wantedMails(db: Queryable, accountId: string): Promise<EventType[]> {
  const [row] = await db.query<{ unwanted: string[] }>(
    'SELECT unwanted FROM deliver.mail_choice WHERE account_id = $1',
    [accountId],
  )
  return without(row?.unwanted ?? [])
}

const without = (unwanted: readonly string[]): EventType[] => eventTypes.filter((type) => !unwanted.includes(type))

/** @param read the revision that the caller read; without it, any revision is replaced. @throws AppError CONFLICT */
export async function chooseMails(
  tx: Tx,
  accountId: string,
  wanted: readonly EventType[],
  read?: string,
): Promise<EventType[]> {
  // Concurrent choices wait here, including the first one.
  const [chosen] = await tx.query<{ unwanted: string[] }>(
    `INSERT INTO deliver.mail_choice (account_id, unwanted) VALUES ($1, '{}')
     ON CONFLICT (account_id) DO UPDATE SET unwanted = mail_choice.unwanted RETURNING unwanted`,
    [accountId],
  )
  requireRevision('Your choice of e-mails was', revisionOf(without(chosen?.unwanted ?? [])), read)
  const unwanted = eventTypes.filter((type) => !wanted.includes(type))
  await tx.execute('UPDATE deliver.mail_choice SET unwanted = $2 WHERE account_id = $1', [accountId, unwanted])
  return without(unwanted)
}
