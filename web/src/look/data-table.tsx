/** A table that a page of the API fills. It scrolls sideways where it is wider than the page; on a phone each row stands as a card. */
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row, index: number) => ReactNode
  /** Numbers stand at the right. */
  readonly number?: boolean
}

export function DataTable<Row>(props: {
  /** What the table lists; read out before it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** What to do first, where there is nothing yet. */
  readonly empty: ReactNode
}) {
  const { caption, columns, rows, keyOf, empty } = props
  if (rows.length === 0) return <div className="empty">{empty}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-frame" aria-label={caption} tabIndex={0}>
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
            <tr key={keyOf(row)}>
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
