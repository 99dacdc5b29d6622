/**
 * How many records a saved query finds that imports brought since a moment: those that their reader may learn of, whatever the query
 * asks, so that a count tells nothing of what a feed sells. Where they cannot be counted in time, none is told.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { looksAtFew } from './plan.ts'
import { readQuery } from './read.ts'
import type { SavedScreener } from './saved-screeners.ts'
import { visibleTo } from './withhold.ts'

interface News {
  readonly since: Date
  readonly sold: SoldRegistrations | null
  readonly timeoutMs: number
}

/** @returns null where it would take too long. */
export function countNews(
  db: Db,
  { type, query }: Pick<SavedScreener, 'type' | 'query'>,
  { since, sold, timeoutMs }: News,
): Promise<number | null> {
  const work = async (tx: Queryable) => {
    const read = readQuery(type, query, sold)
    const values = [...read.values]
    const bind = (value: unknown) => `$${values.push(value)}`
    const { table } = registerTables[type]
    // Runs that ended since then; what they wrote anew they were the first to write.
    const first = sql`coalesce((SELECT max(run_id) FROM ingest.run WHERE finished_at <= ${bind(since)}), 0)`
    const counted = sql`SELECT count(*) AS records FROM ${table} r WHERE r.closed_on IS NULL AND r.first_run_id > ${first}
      AND ${read.condition} AND ${visibleTo(type, sold, bind)}`
    const { rows: registerRows } = await registerState(tx, type)
    if (!(await looksAtFew(tx, { sql: counted, values, registerRows }))) return null
    const [found] = await tx.query<{ records: number }>(counted, values)
    return found?.records ?? 0
  }
  return boundedRead(db, work, timeoutMs)
}
