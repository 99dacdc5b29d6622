/**
 * How many new records a saved query finds since a time. Only records that the reader may see are counted, whatever the
 * query, so a count does not reveal what a feed sells. If counting takes too long, there is no count.
 */
import { sources } from '../../../config/sources/index.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import type { ScreenerType } from './fields.ts'
import { looksAtFew } from './plan.ts'
import { readQuery } from './read.ts'
import type { SavedScreener } from './saved-screeners.ts'
import { visibleTo } from './withhold.ts'

interface News {
  readonly since: Date
  readonly sold: SoldRegistrations | null
  readonly timeoutMs: number
}

/** @returns null if it would take too long. */
export function countNews(
  db: Db,
  { type, query }: Pick<SavedScreener, 'type' | 'query'>,
  { since, sold, timeoutMs }: News,
): Promise<number | null> {
  const work = async (tx: Queryable) => {
    const runs = await runsEndedSince(tx, type, since)
    if (runs.length === 0) return 0
    const read = readQuery(type, query, sold)
    const values = [...read.values]
    const bind = (value: unknown) => `$${values.push(value)}`
    const { table } = registerTables[type]
    const counted = sql`SELECT count(*) AS records FROM ${table} r
      WHERE r.closed_on IS NULL AND r.first_run_id = ANY (${bind(runs)}::bigint[])
      AND ${read.condition} AND ${visibleTo(type, sold, bind)}`
    const { rows: registerRows } = await registerState(tx, type)
    if (!(await looksAtFew(tx, { sql: counted, values, registerRows }))) return null
    const [found] = await tx.query<{ records: number }>(counted, values)
    return found?.records ?? 0
  }
  return boundedRead(db, work, timeoutMs)
}

/** The order of their ids is not that of their ends: one waits for approval, or takes longer than the next one. */
async function runsEndedSince(tx: Queryable, type: ScreenerType, since: Date): Promise<number[]> {
  const names = sources.flatMap(({ entity, name }) => (entity === type ? [name] : []))
  const runs = await tx.query<{ run_id: number }>(
    `SELECT run_id FROM ingest.run WHERE source = ANY ($1::text[]) AND status = 'succeeded' AND finished_at > $2`,
    [names, since],
  )
  return runs.map(({ run_id }) => run_id)
}
