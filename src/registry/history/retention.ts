/** The day from which history is available; the changes needed for earlier reads were thinned out. */
import type { Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'

/** @returns null if nothing was ever thinned out. */
export async function retainedFrom(tx: Queryable): Promise<string | null> {
  const [kept] = await tx.query<{ retained_from: string }>('SELECT retained_from FROM ingest.history_retention')
  return kept?.retained_from ?? null
}

/** @throws AppError HISTORY_NOT_RETAINED for a day before it. */
export async function requireRetained(tx: Queryable, day: string): Promise<void> {
  const from = await retainedFrom(tx)
  if (from === null || day >= from) return
  throw new AppError('HISTORY_NOT_RETAINED', `History is kept from ${from} on; ${day} is no longer available.`, {
    extra: { retained_from: from },
  })
}
