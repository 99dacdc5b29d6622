/**
 * Recomputes the counts of the registers from their rows; differences are reported and corrected. Every statement that
 * writes a register updates the counts, so they can only differ if a row was written bypassing the triggers.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { registerTables } from '../register-table.ts'

export interface CountedRegister {
  readonly dataset: EntityType
  /** Open records of the register. */
  readonly records: number
  /** Counts that differed from the register's rows. */
  readonly differing: number
}

export async function checkCounts(db: Queryable): Promise<CountedRegister[]> {
  const checked: CountedRegister[] = []
  for (const dataset of entityTypes) {
    const [found] = await db.query<{ differing: number; records: number }>(
      `SELECT (SELECT count(*) FROM feed.miscounted($1)) + (SELECT count(*) FROM feed.miscounted_industries($1)) AS differing,
              (SELECT coalesce(sum(records), 0)::bigint FROM feed.record_count WHERE dataset = $1 AND grain = 'year')
              + (SELECT coalesce(sum(found - kept), 0)::bigint FROM feed.miscounted($1) WHERE grain = 'year') AS records`,
      [dataset],
    )
    checked.push({ dataset, records: found?.records ?? 0, differing: found?.differing ?? 0 })
  }
  return checked
}

/** @returns the state before the correction. Merges of a register wait while it is counted. */
export async function recount(db: Db): Promise<CountedRegister[]> {
  const checked = await checkCounts(db)
  for (const { dataset } of checked.filter(({ differing }) => differing > 0)) {
    await db.transaction(async (tx) => {
      await tx.execute('SELECT feed.recount($1)', [registerTables[dataset].table])
      await tx.execute('UPDATE registry.version SET version = version + 1, changed_at = now() WHERE entity = $1', [
        dataset,
      ])
    })
  }
  return checked
}
