/**
 * The sort orders of a paginated list: `created_at`, or `created_at-` for descending. Rows with equal values are
 * ordered by a unique tie-breaker, so that no row is on two pages or on none.
 */
import { sql } from './sql.ts'

export type SortOf<Name extends string> = Name | `${Name}-`

export interface ListSorts<Name extends string> {
  readonly names: readonly SortOf<Name>[]
  /** The default order. */
  readonly usual: SortOf<Name>
  /** The expression for ORDER BY. */
  orderBy(sort?: SortOf<Name>): string
}

interface Rows<Name extends string> {
  /** By the API's name for the order: one SQL expression, or several, each breaking ties of those before. */
  readonly by: Readonly<Record<Name, string | readonly string[]>>
  /** Columns that may be null; nulls come last in either direction. */
  readonly unknownLast?: readonly NoInfer<Name>[]
  /** SQL that is unique for each row. */
  readonly tie: string
}

export function listSorts<Name extends string>(usual: SortOf<NoInfer<Name>>, rows: Rows<Name>): ListSorts<Name> {
  const { by, unknownLast = [], tie } = rows
  const names = Object.keys(by) as Name[]
  const orders = new Map<string, string>()
  for (const name of names) {
    const columns = [by[name]].flat()
    const last = unknownLast.includes(name) ? ' NULLS LAST' : ''
    const ordered = (direction: string) =>
      [...columns.map((column) => sql`${column}${direction}${last}`), tie].join(', ')
    orders.set(name, ordered(''))
    orders.set(`${name}-`, ordered(' DESC'))
  }
  return {
    names: names.flatMap((name) => [name, `${name}-` as const]),
    usual,
    orderBy(sort = usual) {
      const order = orders.get(sort)
      if (order === undefined) throw new Error(`the list has no order ${sort}`)
      return order
    },
  }
}
