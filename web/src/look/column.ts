/** A column of a table: its head, what stands in it, and what its rows are sorted by. */
import type { ReactNode } from 'react'
import type { Sorting } from './sorting.ts'

export interface Column<Row> extends Sorting<Row> {
  readonly cell: (row: Row, index: number) => ReactNode
  /** Numbers stand at the right. */
  readonly number?: boolean
  /** Always shown, such as the boxes by which rows are chosen. */
  readonly isFixed?: boolean
}
