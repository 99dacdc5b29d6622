/** A table for one page of an API list; `use-fit.ts` lays it out in the available width. */
import type { ReactNode } from 'react'
import { useAddressState } from './address-state.ts'
import type { Column } from './column.ts'
import { Moment } from './moment.tsx'
import { sortHead } from './sort-head.tsx'
import { orderOf, parameterOf, sorted } from './sorting.ts'
import { useColumns } from './table-columns.tsx'
import { useFit } from './use-fit.ts'

export interface TableProps<Row> {
  /** What the table lists; read out by screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly empty: ReactNode
  /** The list has more rows than this page, so only its operation can sort it. */
  readonly isPart?: boolean
  /** Where the page itself offers the column menu. */
  readonly hasOwnChoice?: boolean
}

export function DataTable<Row>({ empty, ...table }: TableProps<Row>) {
  return table.rows.length === 0 ? <div className="empty">{empty}</div> : <Table {...table} />
}

function Table<Row>(props: Omit<TableProps<Row>, 'empty'>) {
  const { caption, rows, keyOf, isPart = false, hasOwnChoice = false } = props
  const columns = props.columns.map((column) => complete(column, isPart))
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

/** With its cells; a part of a list is not sorted here. */
function complete<Row>({ at, ...column }: Column<Row>, isPart: boolean) {
  const { sortedAs, by = sortedAs === undefined ? at : undefined, ...shown } = column
  const { cell = (row: Row) => (at ? <Moment at={at(row)} /> : worded(by?.(row), column.number)) } = column
  return { ...shown, cell, ...(sortedAs && { sortedAs }), ...(by && !isPart && { by }) }
}

const worded = (value: ReturnType<NonNullable<Column<unknown>['by']>>, form: Column<unknown>['number']) =>
  typeof form !== 'function' ? value : typeof value === 'number' ? form(value) : '–'

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
