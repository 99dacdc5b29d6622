/** A page of hits in another order than by identifier, for a query that finds few enough to sort. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { grouped } from '../../domain/counted.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { AppError } from '../../errors.ts'
import { type Hits, hitColumns } from '../hits.ts'
import { registerTables } from '../register-table.ts'
import type { Field, ScreenerType } from './fields.ts'
import type { ReadQuery } from './read.ts'
import { shownColumn, shownField } from './shown-values.ts'

export interface Sort {
  readonly field: string
  readonly descending: boolean
}

/** More records are not sorted for a single page. */
export const sortedMax = 50_000
const sortedKinds: ReadonlySet<string> = new Set(['name', 'text', 'code', 'identifier', 'number', 'integer', 'date'])

interface SortedPage<T extends ScreenerType> {
  readonly type: T
  readonly read: ReadQuery
  readonly sold: SoldRegistrations | null
  readonly sort: Sort
  readonly offset: number
  readonly limit: number
  readonly total: number
}

/** @throws AppError UNPROCESSABLE for a field that cannot be sorted by. */
export function sortedField(type: ScreenerType, name: string): Field {
  const field = shownField(type, name)
  if (sortedKinds.has(field.kind) && !field.isBeside) return field
  throw new AppError('UNPROCESSABLE', `Records are not sorted by ${field.name}.`)
}

/** @throws AppError UNPROCESSABLE for a field that cannot be sorted by, QUERY_TOO_EXPENSIVE */
export function readSortedHits<T extends ScreenerType>(tx: Queryable, page: SortedPage<T>): Promise<Hits[T][]> {
  const { type, read, sold, sort, total } = page
  const field = sortedField(type, sort.field)
  if (total > sortedMax) {
    const message = `The query finds ${grouped(total)} records; ${grouped(sortedMax)} at most are sorted. Narrow it, or leave the order away.`
    throw new AppError('QUERY_TOO_EXPENSIVE', message, { extra: { reason: 'sort' } })
  }
  const { table, key } = registerTables[type]
  const values = [...read.values]
  const bind = (value: unknown) => `$${values.push(value)}`
  const value = shownColumn(type, field, sold, bind)
  const by = field.kind === 'name' ? sql`lower(${value})` : value
  // With OFFSET 0 the inner SELECT is planned for all its rows, like the count.
  const found = sql`SELECT * FROM ${table} r WHERE r.closed_on IS NULL AND ${read.condition} OFFSET 0`
  const order = sql`${by} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ${key}`
  return tx.query<Hits[T]>(
    sql`SELECT ${hitColumns[type]} FROM (${found}) AS r ORDER BY ${order} OFFSET ${bind(page.offset)} LIMIT ${bind(page.limit)}`,
    values,
  )
}
