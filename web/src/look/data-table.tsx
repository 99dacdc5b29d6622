/** A table that a page of the API fills; `use-fit.ts` lays it out in the width that there is. */
import type { ReactNode } from 'react'
import { useFit } from './use-fit.ts'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row, index: number) => ReactNode
  /** Numbers stand at the right. */
  readonly number?: boolean
}

interface TableProps<Row> {
  /** What the table lists; read out before it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** What to do first, where there is nothing yet. */
  readonly empty: ReactNode
}

export function DataTable<Row>({ empty, ...table }: TableProps<Row>) {
  return table.rows.length === 0 ? <div className="empty">{empty}</div> : <Table {...table} />
}

function Table<Row>({ caption, columns, rows, keyOf }: Omit<TableProps<Row>, 'empty'>) {
  const frame = useFit()
  return (
    <section ref={frame} className="table-frame" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, number }) => (
              <th key={head} scope="col" className={number ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)} tabIndex={-1}>
              {columns.map(({ head, cell, number }) => (
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
