/** A table column: header, cells, and sorting. */
import type { ReactNode } from 'react'
import type { Sorting } from './sorting.ts'

export interface Column<Row> extends Sorting<Row> {
  /** By default the value of `by`, or the moment `at`. */
  readonly cell?: (row: Row, index: number) => ReactNode
  /** A moment, by which a complete list is sorted. */
  readonly at?: (row: Row) => string | null
  /** Numbers are right-aligned, and the value of `by` is written in this form. */
  readonly number?: boolean | ((value: number) => string)
  /** Never hidden, such as the checkboxes that select rows. */
  readonly isFixed?: boolean
}
