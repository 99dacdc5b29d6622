/** Attempts whose time is up go. Run twice, the second finds none. */
import type { Db } from '../../../db/db.ts'

/** @returns how many went. */
export const sweepAttempts = (db: Db, keep: string): Promise<number> =>
  db.execute('DELETE FROM deliver.attempt WHERE at < now() - $1::interval', [keep])
