/** A table that a page of the API fills; `use-fit.ts` lays it out in the width that there is. */
import type { ReactNode } from 'react'
import { useAddressState } from './address-state.ts'
import type { Column } from './column.ts'
import { sortHead } from './sort-head.tsx'
import { orderOf, parameterOf, sorted } from './sorting.ts'
import { useColumns } from './table-columns.tsx'
import { useFit } from './use-fit.ts'

interface TableProps<Row> {
  /** What the table lists; read out before it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** What to do first, where there is nothing yet. */
  readonly empty: ReactNode
  /** Others follow that the page does not hold: only its operation could sort it. */
  readonly isPart?: boolean
  /** Where the page itself offers the columns. */
  readonly hasOwnChoice?: boolean
}

export function DataTable<Row>({ empty, ...table }: TableProps<Row>) {
  return table.rows.length === 0 ? <div className="empty">{empty}</div> : <Table {...table} />
}

function Table<Row>(props: Omit<TableProps<Row>, 'empty'>) {
  const { caption, rows, keyOf, isPart = false, hasOwnChoice = false } = props
  const columns = isPart ? props.columns.map(({ by: _, ...column }) => column) : props.columns
  const frame = useFit()
  const [shown, menu] = useColumns(caption, columns, !hasOwnChoice)
  const [sort, setSort] = useAddressState(parameterOf(caption, columns))
  return (
    <section ref={frame} className="table-frame" aria-label={caption}>
      {menu}
      <table>
        <thead>
          <tr>
            {shown.map((column) => (
              <Head key={column.head} of={column} sort={sort} setSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, orderOf(sort)).map((row, index) => (
            <tr key={keyOf(row)} tabIndex={-1}>
              {shown.map(({ head, cell, number }) => (
                <td key={head} data-head={head} className={number ? 'number' : undefined}>
                  {cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Head<Row>(props: {
  readonly of: Column<Row>
  readonly sort: string
  readonly setSort: (sort: string) => void
}) {
  const { of: column, sort, setSort } = props
  const { words, direction } = sortHead(column, sort, setSort)
  return (
    <th scope="col" className={column.number ? 'number' : undefined} aria-sort={direction}>
      {words}
    </th>
  )
}
