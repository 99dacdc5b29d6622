/**
 * The day that a snapshot describes. A future day would hold back every later file of the source, so none is accepted,
 * wherever it came from: an option, a file's name, an address.
 */
import { publisherZone, type Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { AppError } from '../../errors.ts'

/** Today in the time zone of the source's publisher, by the database's clock, which all processes share. */
export async function readToday(db: Queryable, source: Pick<Source, 'timezone'>): Promise<string> {
  const [row] = await db.query<{ today: string }>('SELECT (now() AT TIME ZONE $1)::date AS today', [
    source.timezone ?? publisherZone,
  ])
  if (!row) throw new Error('the database returned no day')
  return row.today
}

/** @throws AppError BAD_REQUEST */
export async function requireSnapshotDay(db: Queryable, source: Pick<Source, 'timezone'>, day: string): Promise<void> {
  if (!isIsoDate(day)) {
    throw new AppError('BAD_REQUEST', `as-of must be a day as YYYY-MM-DD, not ${JSON.stringify(day)}.`)
  }
  const today = await readToday(db, source)
  if (day <= today) return
  throw new AppError(
    'BAD_REQUEST',
    `as-of must be the day that the snapshot describes, up to today (${today} in ${source.timezone ?? publisherZone}), not ${day}: ` +
      'a later day would keep every file until then from being ingested.',
  )
}
