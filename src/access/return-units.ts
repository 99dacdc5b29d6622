/**
 * Returns units that calls did not use after all: once per call, and batched where several are returned at the same
 * time.
 */
import type { Queryable } from '../db/db.ts'
import { gathered } from '../db/gathered.ts'
import { sqlFile } from '../db/sql-file.ts'

export interface ReturnedUnits {
  readonly accountId: string
  /** Kind in `access.daily_usage`. */
  readonly kind: string
  /** UTC day by the database's clock. */
  readonly day: string
  /** One when unset. */
  readonly units?: number
}

const statement = { name: 'return-units', text: sqlFile(import.meta.url, 'return-units.sql') }

export function createUnitReturns(db: Queryable): (returned: ReturnedUnits) => Promise<void> {
  return gathered(
    async (all: readonly ReturnedUnits[]) => {
      await db.execute(statement, [
        all.map(({ accountId }) => accountId),
        all.map(({ kind }) => kind),
        all.map(({ day }) => day),
        all.map(({ units = 1 }) => units),
      ])
      return all.map(() => undefined)
    },
    { batchMax: 200, atOnce: 1 },
  )
}
