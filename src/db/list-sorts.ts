/**
 * The orders that a list which is read by page can be asked for: `created_at`, or `created_at-` from the end. Rows that are alike in it
 * stand by what tells all of them apart, so that no row is on two pages, or on none.
 */
import { sql } from './sql.ts'

export type SortOf<Name extends string> = Name | `${Name}-`

export interface ListSorts<Name extends string> {
  readonly names: readonly SortOf<Name>[]
  /** The order of who asks for none. */
  readonly usual: SortOf<Name>
  /** What stands behind ORDER BY. */
  orderBy(sort?: SortOf<Name>): string
}

interface Rows<Name extends string> {
  /** By what the API calls each: SQL, or several, each of which decides between rows that are alike in those before. */
  readonly by: Readonly<Record<Name, string | readonly string[]>>
  /** Of what some rows have nothing; they come last in either direction. */
  readonly unknownLast?: readonly NoInfer<Name>[]
  /** SQL by which no two rows are alike. */
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
