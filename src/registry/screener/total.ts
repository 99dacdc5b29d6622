/**
 * How many records a query finds: a sum of the counts that every merge keeps, where these tell apart what the query asks of; else
 * counted one by one, after a look ahead, and kept for as long as the register stands still.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { codeRecords } from '../counts/counted-industries.ts'
import { asksTooManyDays, countedColumns, countedRows, sumOfCounts } from '../counts/counted-records.ts'
import { type RegisterState, totalOnce } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { codeAsked, columnsOf, edgesOf, fieldsOf } from './columns.ts'
import type { ScreenerType } from './fields.ts'
import { countAhead } from './foresight.ts'
import type { ReadQuery } from './read.ts'

export interface Ground {
  readonly type: ScreenerType
  readonly read: ReadQuery
  readonly sold: SoldRegistrations | null
  readonly state: RegisterState
  readonly timeoutMs: number
}

export function countTotal(db: Db, tx: Queryable, ground: Ground): Promise<number> {
  const { type, read, sold, state } = ground
  const count = () => countRecords(db, tx, ground)
  // What lies beside the register changes without it.
  if ([...fieldsOf(read.node)].some(({ isBeside }) => isBeside)) return count()
  // Two accounts may not find the same records by one query.
  const set = read.withheld === 'none' ? read.canonical : `${read.canonical}:${JSON.stringify(sold)}`
  return totalOnce(db, `${state.version}:${type}:${set}`, count)
}

/**
 * Rows that stand for records which the kept counts tell apart by what the query asks, and by further columns of the register.
 * @returns undefined where they do not. @param bind adds to the values of the query.
 */
export function keptCounts(
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

/** A statement that sums the counts which merges keep; undefined where these do not tell how many records the query finds. */
export function sumKept(type: ScreenerType, read: ReadQuery, bind: (value: unknown) => string): string | undefined {
  const rows = keptCounts(type, read, [], bind)
  if (rows !== undefined) return sumOfCounts(type, rows, read.condition)
  const code = read.withheld === 'none' ? codeAsked(read.node) : undefined
  const held = code && codeRecords(type, code.asked, code.further, bind)
  return held && sql`SELECT coalesce(sum(r.records), 0)::bigint AS total FROM ${held} WHERE ${read.condition}`
}

async function countRecords(db: Db, tx: Queryable, { type, read, state, timeoutMs }: Ground): Promise<number> {
  const values = [...read.values]
  const summed = sumKept(type, read, (value) => `$${values.push(value)}`)
  if (summed !== undefined) {
    const [sum] = await tx.query<{ total: number }>(summed, values)
    return sum?.total ?? 0
  }
  const { table } = registerTables[type]
  const counted = sql`SELECT count(*) AS total FROM ${table} r WHERE r.closed_on IS NULL AND ${read.condition}`
  const ahead = { read, sql: counted, registerRows: state.rows, timeoutMs }
  const [row] = await countAhead<{ total: number }>(db, tx, ahead)
  return row?.total ?? 0
}
