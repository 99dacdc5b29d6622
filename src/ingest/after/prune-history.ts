/**
 * Limits the history: of the changes before a day, only the newest of each record is kept, which has the record's state
 * on that day. Past states are available from that day on. Idempotent.
 */
import type { Period } from '../../../config/retention.ts'
import type { Db } from '../../db/db.ts'
import { indianDayOf, isIsoDate } from '../../domain/iso-date.ts'
import { AppError } from '../../errors.ts'

export interface PrunedHistory {
  /** Day from which past states are available. */
  readonly retained_from: string
  readonly deleted: number
}

/** @throws AppError BAD_REQUEST for anything but a day up to today. */
export async function pruneHistory(db: Db, before: string): Promise<PrunedHistory> {
  if (!isIsoDate(before) || before > indianDayOf(new Date())) {
    throw new AppError('BAD_REQUEST', `History can be pruned before a day up to today, not ${JSON.stringify(before)}.`)
  }
  return db.transaction(async (tx) => {
    // Invariant: the day never decreases, and readers never see an older day than the deletion: both commit together.
    const [kept] = await tx.query<{ retained_from: string }>(
      `INSERT INTO ingest.history_retention AS r (retained_from) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE
       SET retained_from = greatest(r.retained_from, excluded.retained_from)
       RETURNING retained_from`,
      [before],
    )
    const retained_from = kept?.retained_from ?? before
    const [pruned] = await tx.query<{ deleted: number }>('SELECT ingest.prune_changes($1) AS deleted', [retained_from])
    // A run that begins after this time has lost nothing to the deletion.
    await tx.execute('UPDATE ingest.history_retention SET pruned_at = clock_timestamp()')
    return { retained_from, deleted: pruned?.deleted ?? 0 }
  })
}

/**
 * Prunes changes older than the period, once a day.
 * @returns rows deleted.
 */
export async function keepHistory(db: Db, period: Period | null): Promise<number> {
  if (period === null) return 0
  const [due] = await db.query<{ before: string }>(
    `SELECT runtime.indian_day(now() - $1::interval) AS before
     WHERE NOT EXISTS (SELECT FROM ingest.history_retention
                       WHERE retained_from >= runtime.indian_day(now() - $1::interval))`,
    [period],
  )
  return due ? (await pruneHistory(db, due.before)).deleted : 0
}
