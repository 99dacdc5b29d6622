/**
 * Registrations of a scope per day and state, matching the feed's pages: from the counts that each change of the
 * register updates, or from the register if a territory is finer than these. The caller limits the days.
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
  /** Day in India; later days are not counted. */
  readonly today: string
  /** What the account may see: the union of these. */
  readonly scopes: readonly Scope[]
  /** Inclusive. */
  readonly from: string
  readonly to: string
  /** In the spelling of src/domain/states.ts. */
  readonly state?: string | undefined
}

export interface DayCount {
  readonly day: string
  /** Null if the state is unknown. */
  readonly state: string | null
  readonly total: number
}

const template = sqlFile(import.meta.url, 'feed-summary.sql')

/** @returns days and states with any registrations, newest day first, within a day the largest first. */
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
