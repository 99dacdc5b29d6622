/** The head of a column: its words, or the button by which the list is sorted by it. */
import type { ReactNode } from 'react'
import { nextOrder, orderOf, type Sorting, sortNameOf } from './sorting.ts'

export interface SortHead {
  readonly words: ReactNode
  /** Of the cell that the words stand in; undefined where the rows stand in another order. */
  readonly direction: 'ascending' | 'descending' | undefined
}

/** @param sort as the address has it. */
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
