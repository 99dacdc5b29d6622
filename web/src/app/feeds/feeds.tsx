/** What was newly registered, where and when: counts by state and by day, and the records with "order these". */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAddressChange, useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { DayChoice } from '../../look/day-choice.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { StateCounts } from '../../look/state-map.tsx'
import { OrderThese } from '../listed/order-these.tsx'
import { type Chosen, RecordTable, type RecordType } from '../listed/record-table.tsx'
import { Days } from './days.tsx'
import { type Filter, readFeed, readSummary } from './read-feed.tsx'

const DayPlot = lazy(() => import('./day-plot.tsx'))
const limit = 25
const datasets: readonly RecordType[] = ['company', 'gst', 'director']

export default function Feeds() {
  const [dataset, setDataset] = useAddressState('dataset', 'company')
  const [state, setState] = useAddressState('state')
  const [from, setFrom] = useAddressState('from')
  const [to, setTo] = useAddressState('to')
  const change = useAddressChange()
  const type = datasets.find((each) => each === dataset) ?? 'company'
  const filter = { ...(state && { state }), ...(from && { from_date: from }), ...(to && { to_date: to }) }
  return (
    <Page title="New registrations" lead="Within the places and days that were granted to your account.">
      <div className="filters">
        <Choice label="Register" value={type} options={datasets} set={setDataset} />
        <DayChoice label="From" value={from} set={setFrom} />
        <DayChoice label="To" value={to} set={setTo} />
        {(from || to) && (
          <button type="button" onClick={() => change({ from: '', to: '' })}>
            All days
          </button>
        )}
        {state && (
          <button type="button" onClick={() => setState('')}>
            {`Not only ${state}`}
          </button>
        )}
      </div>
      <Summary type={type} filter={filter} choose={setState} chooseDay={(day) => change({ from: day, to: day })} />
      <Records key={`${type} ${state} ${from} ${to}`} type={type} filter={filter} />
    </Page>
  )
}

function Summary(props: {
  readonly type: RecordType
  readonly filter: Filter
  readonly choose: (state: string) => void
  readonly chooseDay: (day: string) => void
}) {
  const { type, filter, choose, chooseDay } = props
  const isOfUsualDays = filter.from_date === undefined && filter.to_date === undefined
  const summary = useQuery({
    queryKey: ['feed summary', type, filter],
    queryFn: () => readSummary(type, filter),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Reading of={summary} what="the counts">
      {({ total, by_state, by_day }) => (
        <>
          <h2>{counted(total, 'registration')}</h2>
          {isOfUsualDays && <p className="hint">In the last 30 days. The records below go further back.</p>}
          {by_day.length > 1 && (
            <>
              <Suspense fallback={<p role="status">Drawing …</p>}>
                <DayPlot days={by_day} />
              </Suspense>
              <Days of={by_day} choose={chooseDay} />
            </>
          )}
          <div className="beside">
            <StateCounts
              label="Registrations by state; press one to see it alone"
              amounts={amountsOf(by_state)}
              chosen={filter.state ?? ''}
              choose={choose}
            />
            <DataTable
              caption="Registrations by state"
              rows={by_state}
              keyOf={(row) => row.state ?? ''}
              empty={<p>Nothing was registered on those days. Choose other ones.</p>}
              columns={[
                {
                  head: 'State',
                  by: ({ state }) => state,
                  cell: ({ state }) =>
                    state ? (
                      <button type="button" className="as-link" onClick={() => choose(state)}>
                        {state}
                      </button>
                    ) : (
                      'not told'
                    ),
                },
                { head: 'Registrations', by: ({ total }) => total, cell: (row) => count(row.total), number: true },
              ]}
            />
          </div>
        </>
      )}
    </Reading>
  )
}

/** Spellings of one state count together. */
function amountsOf(rows: readonly { readonly state: string | null; readonly total: number }[]) {
  const amounts = new Map<string, number>()
  for (const { state, total } of rows) {
    if (state !== null) amounts.set(state, (amounts.get(state) ?? 0) + total)
  }
  return amounts
}

function Records({ type, filter }: { readonly type: RecordType; readonly filter: Filter }) {
  const [page] = usePage()
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const feed = useQuery({
    queryKey: ['feed', type, filter, page],
    queryFn: () => readFeed(type, { ...filter, page, limit }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Reading of={feed} what="the registrations">
      {({ records, total }) => (
        <>
          <h2>Records</h2>
          <RecordTable
            caption="New registrations"
            records={records}
            chosen={chosen}
            choose={setChosen}
            acts={<OrderThese records={[...chosen.values()]} />}
            empty="Nothing was registered there on those days."
            more="Registered"
          />
          <Pager total={total} limit={limit} one="record" />
        </>
      )}
    </Reading>
  )
}
