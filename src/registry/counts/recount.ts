/**
 * The counts of the registers, counted anew from their rows: what differs is reported, and written as it should be. Every
 * statement that writes a register keeps them, so that only a row written past its triggers can make them differ.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { registerTables } from '../register-table.ts'

export interface CountedRegister {
  readonly dataset: EntityType
  /** Open records of the register. */
  readonly records: number
  /** Counts that were not those of its rows. */
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

/** @returns what was found before. Merges of a register wait while it is counted. */
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
