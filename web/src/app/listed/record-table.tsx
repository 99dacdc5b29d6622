/** Records of any register as rows that can be selected for an order or a watchlist. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { chooseColumn } from '../../look/choose-column.tsx'
import type { Column } from '../../look/column.ts'
import { DataTable } from '../../look/data-table.tsx'
import { counted } from '../../look/numbers.ts'

export type RecordType = 'company' | 'director' | 'gst'

export interface ListedRecord {
  readonly type: RecordType
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly status: string | null
  readonly more: ReactNode
  /** The contacts it has, and whether its lead is already owned, where known. */
  readonly reach?: Readonly<Record<'mobile' | 'email' | 'website', boolean>>
  readonly owned?: boolean
}

/** By id, from any page of the list. */
export type Chosen<Row extends ListedRecord = ListedRecord> = ReadonlyMap<string, Row>

export function RecordTable<Row extends ListedRecord>(props: {
  readonly caption: string
  readonly records: readonly Row[]
  readonly chosen: Chosen<Row>
  readonly choose: (chosen: Chosen<Row>) => void
  readonly empty: string
  readonly acts?: ReactNode
  /** The content of the last column. */
  readonly more?: string
  /** The content of the column before the last, where that is not the status. */
  readonly status?: string
  /** Columns other than the usual ones, where the page offers a choice. */
  readonly columns?: readonly Column<Row>[]
}) {
  const { caption, records, chosen, choose, empty, acts, more = 'More', status: statusHead = 'Status' } = props
  const here = records.filter(({ id }) => chosen.has(id)).length
  const elsewhere = chosen.size - here
  const all = here === records.length
  const chooseIds = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...records.map((record) => [record.id, record] as const)])
    choose(new Map([...known].filter(([id]) => ids.has(id))))
  }
  const ids = new Set(chosen.keys())
  const idsHere = new Set(records.map(({ id }) => id))
  const choice = chooseColumn<Row>({ idOf: ({ id }) => id, nameOf: ({ name }) => name, chosen: ids, choose: chooseIds })
  const usual: readonly Column<Row>[] = [
    {
      head: 'Name',
      cell: ({ type, id, name }) => <Link href={`/record/${type}/${encodeURIComponent(id)}`}>{name}</Link>,
    },
    { head: 'Identifier', cell: ({ id }) => <code>{id}</code> },
    { head: 'State', cell: ({ state }) => state ?? '–' },
    { head: statusHead, cell: ({ status }) => status ?? '–' },
    { head: more, cell: (row) => row.more || '–' },
  ]
  return (
    <>
      {records.length > 0 && (
        <div className="acts">
          {acts}
          <button type="button" onClick={() => chooseIds(all ? ids.difference(idsHere) : ids.union(idsHere))}>
            {all ? 'Choose none of this page' : 'Choose all on this page'}
          </button>
          {elsewhere > 0 && (
            <span role="status">
              {counted(elsewhere, 'record')} of other pages {elsewhere === 1 ? 'is' : 'are'} chosen, too.{' '}
              <button type="button" className="as-link" onClick={() => chooseIds(ids.intersection(idsHere))}>
                Leave them out
              </button>
            </span>
          )}
        </div>
      )}
      <DataTable
        caption={caption}
        rows={records}
        keyOf={({ id }) => id}
        empty={<p>{empty}</p>}
        columns={[choice, ...(props.columns ?? usual)]}
        hasOwnChoice={props.columns !== undefined}
      />
    </>
  )
}
