/** A column header, as text or as the button that sorts by it. */
import type { ReactNode } from 'react'
import { nextOrder, orderOf, type Sorting, sortNameOf } from './sorting.ts'

export interface SortHead {
  readonly words: ReactNode
  /** The `aria-sort` of the header cell; undefined where the rows are in another order. */
  readonly direction: 'ascending' | 'descending' | undefined
}

/** @param sort from the address. */
export function sortHead<Row>(column: Sorting<Row>, sort: string, setSort: (sort: string) => void): SortHead {
  const name = sortNameOf(column)
  if (name === undefined) return { words: column.head, direction: undefined }
  const order = orderOf(sort)
  const direction = order?.isDescending ? 'descending' : 'ascending'
  const words = (
    <button type="button" className="sort" onClick={() => setSort(nextOrder(name, order))}>
      {column.head}
    </button>
  )
  return { words, direction: order?.by === name ? direction : undefined }
}
