/** A list of the API as a table, with its pager where it has pages. */
import type { UseQueryResult } from '@tanstack/react-query'
import { DataTable, type TableProps } from './data-table.tsx'
import { Pager } from './pager.tsx'
import { Reading } from './reading.tsx'

export function ListTable<Row>(
  props: Omit<TableProps<Row>, 'rows'> & {
    readonly of: UseQueryResult<{ readonly data: readonly Row[]; readonly total?: number }>
    /** What is loading, for example `the imports`. */
    readonly what: string
    readonly pages?: {
      readonly limit: number
      readonly one: string
      /** The creation time of a row, for a list that grows at its start. */
      readonly newest?: (row: Row) => string
      readonly reach?: number
    }
  },
) {
  const { of, what, pages, ...table } = props
  return (
    <Reading of={of} what={what}>
      {({ data: rows, total = 0 }) => (
        <>
          <DataTable {...table} rows={rows} />
          {pages && <Pager {...pages} total={total} newest={rows[0] && pages.newest?.(rows[0])} />}
        </>
      )}
    </Reading>
  )
}
