/** Deletes expired attempts. */
import type { Db } from '../../../db/db.ts'

/** @returns how many were deleted. */
export const sweepAttempts = (db: Db, keep: string): Promise<number> =>
  db.execute('DELETE FROM deliver.attempt WHERE at < now() - $1::interval', [keep])
