/**
 * How many records a query finds: a sum of the counts that every merge updates, if they are broken down by what the
 * query uses; otherwise counted one by one after a cost estimate, and cached until the register changes.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { codeRecords } from '../counts/counted-industries.ts'
import { asksTooManyDays, countedColumns, countedRows, sumOfCounts } from '../counts/counted-records.ts'
import { type RegisterState, totalOnce } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { codeAsked, columnsOf, edgesOf, fieldsOf } from './columns.ts'
import { countIfAffordable } from './count-estimate.ts'
import type { ScreenerType } from './fields.ts'
import type { ReadQuery } from './read.ts'

export interface CountContext {
  readonly type: ScreenerType
  readonly read: ReadQuery
  readonly sold: SoldRegistrations | null
  readonly state: RegisterState
  readonly timeoutMs: number
}

export function countTotal(db: Db, tx: Queryable, context: CountContext): Promise<number> {
  const { type, read, sold, state } = context
  const count = () => countRecords(db, tx, context)
  // Data outside the register changes independently of it.
  if ([...fieldsOf(read.node)].some(({ isBeside }) => isBeside)) return count()
  // The same query may find different records for two accounts.
  const set = read.withheld === 'none' ? read.canonical : `${read.canonical}:${JSON.stringify(sold)}`
  return totalOnce(db, `${state.version}:${type}:${set}`, count)
}

/**
 * Rows that represent records, from the stored counts, broken down by the query's columns and further columns of the
 * register.
 * @returns undefined if the counts are not broken down by these.
 * @param bind appends to the query's values.
 */
export function storedCounts(
  type: ScreenerType,
  read: ReadQuery,
  further: readonly string[],
  bind: (value: unknown) => string,
): string | undefined {
  const columns = countedColumns(type, [...columnsOf(read.node), ...further])
  const edges = edgesOf(read.node)
  if (read.withheld !== 'none' || !columns || asksTooManyDays(columns, edges)) return undefined
  return countedRows(type, columns, edges, bind)
}

/** A statement that sums the stored counts; undefined if these cannot answer the query. */
export function sumOfStoredCounts(
  type: ScreenerType,
  read: ReadQuery,
  bind: (value: unknown) => string,
): string | undefined {
  const rows = storedCounts(type, read, [], bind)
  if (rows !== undefined) return sumOfCounts(type, rows, read.condition)
  const code = read.withheld === 'none' ? codeAsked(read.node) : undefined
  const held = code && codeRecords(type, code.asked, code.further, bind)
  return held && sql`SELECT coalesce(sum(r.records), 0)::bigint AS total FROM ${held} WHERE ${read.condition}`
}

async function countRecords(db: Db, tx: Queryable, { type, read, state, timeoutMs }: CountContext): Promise<number> {
  const values = [...read.values]
  const summed = sumOfStoredCounts(type, read, (value) => `$${values.push(value)}`)
  if (summed !== undefined) {
    const [sum] = await tx.query<{ total: number }>(summed, values)
    return sum?.total ?? 0
  }
  const { table } = registerTables[type]
  const counted = sql`SELECT count(*) AS total FROM ${table} r WHERE r.closed_on IS NULL AND ${read.condition}`
  const ahead = { read, sql: counted, registerRows: state.rows, timeoutMs }
  const [row] = await countIfAffordable<{ total: number }>(db, tx, ahead)
  return row?.total ?? 0
}
