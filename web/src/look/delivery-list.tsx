/** The list of deliveries, for buyers and operators: what narrows it, its columns, and what each adds to them. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { components } from '../../../client/api-types.ts'
import { useAddressState } from './address-state.ts'
import { Badge } from './badge.tsx'
import { Choice } from './choice.tsx'
import type { Column } from './column.ts'
import { outcomes, outcomeTones, Said } from './delivery.tsx'
import { ListTable } from './list-table.tsx'
import { SearchBox } from './search-box.tsx'

type Delivery = components['schemas']['Delivery']

export const deliveriesMax = 50

/** What the fields above the list ask for, as its operations take it. */
export function useAskedDeliveries() {
  const [outcome] = useAddressState('outcome')
  const [record] = useAddressState('record')
  const known = outcomes.find((each) => each === outcome)
  return { ...(known && { outcome: known }), ...(record && { record }) }
}

/** @param props.children buttons that widen the list again. */
export function DeliveryFilters({ children }: { readonly children: ReactNode }) {
  const [outcome, setOutcome] = useAddressState('outcome')
  const [record, setRecord] = useAddressState('record')
  return (
    <>
      <SearchBox label="GSTIN, CIN or DIN" value={record} set={setRecord} />
      <div className="filters">
        <Choice label="Outcome" value={outcome} options={['', ...outcomes]} set={setOutcome} />
        {children}
      </div>
    </>
  )
}

export function DeliveryList(props: {
  readonly of: UseQueryResult<{ readonly data: readonly Delivery[]; readonly total: number }>
  readonly isNarrowed: boolean
  /** What leads to a first delivery. */
  readonly begin: ReactNode
  /** The pages of records. */
  readonly records: '/record' | '/records'
  readonly inCrm: (row: Delivery) => ReactNode
  readonly own: Column<Delivery>
  readonly change: (row: Delivery) => ReactNode
}) {
  const { of, isNarrowed, begin, records, inCrm, own, change } = props
  return (
    <ListTable
      of={of}
      what="the deliveries"
      pages={{ limit: deliveriesMax, one: 'delivery', newest: ({ created_at }) => created_at }}
      caption="Deliveries"
      keyOf={({ delivery_id }) => delivery_id}
      empty={<p>{isNarrowed ? 'No delivery matches these filters.' : <>Nothing was delivered yet. {begin}</>}</p>}
      columns={[
        {
          head: 'Lead',
          sortedAs: 'name',
          cell: ({ record, name }) => (
            <div className="found-name">
              <Link href={`${records}/${record.replace(':', '/')}`}>{name}</Link>
              <code>{record.slice(record.indexOf(':') + 1)}</code>
            </div>
          ),
        },
        { head: 'CRM', cell: ({ destination_name }) => destination_name },
        {
          head: 'Outcome',
          sortedAs: 'outcome',
          cell: ({ outcome }) => <Badge tone={outcomeTones[outcome]}>{outcome}</Badge>,
        },
        { head: 'CRM response', cell: (row) => <Said of={row} /> },
        { head: 'In the CRM', cell: inCrm },
        own,
        { head: 'At', sortedAs: 'at', at: ({ at }) => at },
        { head: 'Change', cell: change },
      ]}
    />
  )
}
