/** Records of any register as rows that can be chosen, for an order or a watchlist. */
import { Link } from 'wouter'
import { type Column, DataTable } from '../../look/data-table.tsx'

export type RecordType = 'company' | 'director' | 'gst'

export interface ListedRecord {
  readonly type: RecordType
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly status: string | null
  readonly more: string
}

export function RecordTable(props: {
  readonly caption: string
  readonly records: readonly ListedRecord[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (chosen: ReadonlySet<string>) => void
  readonly empty: string
}) {
  const { caption, records, chosen, choose, empty } = props
  const toggle = (id: string) => choose(chosen.has(id) ? chosen.difference(new Set([id])) : chosen.union(new Set([id])))
  const all = records.length > 0 && records.every(({ id }) => chosen.has(id))
  const columns: Column<ListedRecord>[] = [
    {
      head: 'Choose',
      cell: ({ id, name }) => (
        <input type="checkbox" aria-label={`Choose ${name}`} checked={chosen.has(id)} onChange={() => toggle(id)} />
      ),
    },
    {
      head: 'Name',
      cell: ({ type, id, name }) => <Link href={`/record/${type}/${encodeURIComponent(id)}`}>{name}</Link>,
    },
    { head: 'Identifier', cell: ({ id }) => <code>{id}</code> },
    { head: 'State', cell: ({ state }) => state ?? '–' },
    { head: 'Status', cell: ({ status }) => status ?? '–' },
    { head: 'More', cell: ({ more }) => more || '–' },
  ]
  return (
    <>
      {records.length > 0 && (
        <button type="button" onClick={() => choose(all ? new Set() : new Set(records.map(({ id }) => id)))}>
          {all ? 'Choose none' : 'Choose all on this page'}
        </button>
      )}
      <DataTable caption={caption} rows={records} keyOf={({ id }) => id} empty={<p>{empty}</p>} columns={columns} />
    </>
  )
}
