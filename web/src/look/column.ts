/** A table column: header, cells, and sorting. */
import type { ReactNode } from 'react'
import type { Sorting } from './sorting.ts'

export interface Column<Row> extends Sorting<Row> {
  readonly cell: (row: Row, index: number) => ReactNode
  /** Numbers are right-aligned. */
  readonly number?: boolean
  /** Never hidden, such as the checkboxes that select rows. */
  readonly isFixed?: boolean
}
