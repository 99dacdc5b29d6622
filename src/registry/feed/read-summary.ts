/**
 * How many registrations a scope holds, by day and state: counted from the register as it stands, by the indexes that its
 * pages are read by, so that it is what the pages would add up to. The caller bounds the days.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { Scope } from '../../domain/scope.ts'
import { filterBounds, partSelects, partsOf } from './feed-bounds.ts'

export interface SummaryQuery {
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
  { scopes, from, to, state }: SummaryQuery,
): Promise<DayCount[]> {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const bounds = filterBounds(dataset, { from, to, state })
  const selects = partSelects(dataset, 'f.registered_on, f.state', bounds, partsOf(scopes), parameter)
  return db.query<DayCount>(fillSql(template, { scoped: selects.join('\n  UNION ALL ') }), values)
}
