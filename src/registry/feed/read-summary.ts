/**
 * How many registrations a scope holds, by day and state: what its pages would add up to, from the counts that each change of the
 * register moves, or from the register where a territory is finer than these. The caller bounds the days.
 */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { Scope } from '../../domain/scope.ts'
import { countedSelects, isCounted } from './counted-feed.ts'
import { filterBounds, partSelects, partsOf } from './feed-bounds.ts'

export interface SummaryQuery {
  /** In India; no later day has a count. */
  readonly today: string
  /** What the account may see: the union of these. */
  readonly scopes: readonly Scope[]
  /** Both days included. */
  readonly from: string
  readonly to: string
  /** In the spelling of src/domain/states.ts. */
  readonly state?: string | undefined
}

export interface DayCount {
  readonly day: string
  /** Null where the register knows no state. */
  readonly state: string | null
  readonly total: number
}

const template = sqlFile(import.meta.url, 'feed-summary.sql')

/** @returns those that have any, the newest day first, within a day the largest. */
export async function readSummary(
  db: Queryable,
  dataset: EntityType,
  { scopes, today, from, to, state }: SummaryQuery,
): Promise<DayCount[]> {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const bounds = filterBounds(dataset, { today, from, to, state })
  const parts = partsOf(scopes)
  const columns = 'f.registered_on, f.state'
  const selects = isCounted(bounds, parts)
    ? countedSelects(dataset, sql`${columns}, f.records`, bounds, parts, parameter, true)
    : partSelects(dataset, sql`${columns}, 1 AS records`, bounds, parts, parameter)
  return db.query<DayCount>(fillSql(template, { scoped: selects.join('\n  UNION ALL ') }), values)
}
