/** Records of any register as rows that can be chosen, for an order or a watchlist. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { chooseColumn } from '../../look/choose-column.tsx'
import { type Column, DataTable } from '../../look/data-table.tsx'

export type RecordType = 'company' | 'director' | 'gst'

export interface ListedRecord {
  readonly type: RecordType
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly status: string | null
  readonly more: ReactNode
}

export function RecordTable(props: {
  readonly caption: string
  readonly records: readonly ListedRecord[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (chosen: ReadonlySet<string>) => void
  readonly empty: string
  /** What can be done with those that are chosen. */
  readonly acts?: ReactNode
  /** What its last column tells. */
  readonly more?: string
}) {
  const { caption, records, chosen, choose, empty, acts, more = 'More' } = props
  const all = records.length > 0 && records.every(({ id }) => chosen.has(id))
  const columns: Column<ListedRecord>[] = [
    chooseColumn({ idOf: ({ id }) => id, nameOf: ({ name }) => name, chosen, choose }),
    {
      head: 'Name',
      cell: ({ type, id, name }) => <Link href={`/record/${type}/${encodeURIComponent(id)}`}>{name}</Link>,
    },
    { head: 'Identifier', cell: ({ id }) => <code>{id}</code> },
    { head: 'State', cell: ({ state }) => state ?? '–' },
    { head: 'Status', cell: ({ status }) => status ?? '–' },
    { head: more, cell: (row) => row.more || '–' },
  ]
  return (
    <>
      {records.length > 0 && (
        <div className="acts">
          {acts}
          <button type="button" onClick={() => choose(all ? new Set() : new Set(records.map(({ id }) => id)))}>
            {all ? 'Choose none' : 'Choose all on this page'}
          </button>
        </div>
      )}
      <DataTable caption={caption} rows={records} keyOf={({ id }) => id} empty={<p>{empty}</p>} columns={columns} />
    </>
  )
}
