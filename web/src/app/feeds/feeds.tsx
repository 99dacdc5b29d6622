/** New registrations by place and day: counts by day, the records, and counts by state. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useAddressChange, useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { DayChoice } from '../../look/day-choice.tsx'
import { lazyPart } from '../../look/lazy-part.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { stateNames } from '../../look/states.ts'
import { OrderThese } from '../listed/order-these.tsx'
import { type Chosen, RecordTable, type RecordType } from '../listed/record-table.tsx'
import { ByState } from './by-state.tsx'
import { Days } from './days.tsx'
import { type Filter, readFeed, useSummary } from './read-feed.tsx'

const DayPlot = lazyPart(() => import('./day-plot.tsx'))
const limit = 25
const datasets: readonly { readonly value: RecordType; readonly label: string }[] = [
  { value: 'company', label: 'Companies' },
  { value: 'gst', label: 'GST registrations' },
  { value: 'director', label: 'Directors' },
]

export default function Feeds() {
  const [dataset, setDataset] = useAddressState('dataset', 'company')
  const [state, setState] = useAddressState('state')
  const [from, setFrom] = useAddressState('from')
  const [to, setTo] = useAddressState('to')
  const change = useAddressChange()
  const type = datasets.find(({ value }) => value === dataset)?.value ?? 'company'
  const filter = { ...(state && { state }), ...(from && { from_date: from }), ...(to && { to_date: to }) }
  return (
    <Page title="New registrations" lead="For the places and days that your account has access to.">
      <div className="filters">
        <Choice label="Register" value={type} options={datasets} set={setDataset} />
        <Choice label="State" value={state} options={['', ...stateNames]} set={setState} />
        <DayChoice label="From" value={from} set={setFrom} />
        <DayChoice label="To" value={to} set={setTo} />
        {(from || to) && (
          <button type="button" onClick={() => change({ from: '', to: '' })}>
            All days
          </button>
        )}
      </div>
      <Summary type={type} filter={filter} chooseDay={(day) => change({ from: day, to: day })} />
      <Records key={`${type} ${state} ${from} ${to}`} type={type} filter={filter} />
      <ByState type={type} filter={filter} choose={setState} />
    </Page>
  )
}

function Summary(props: {
  readonly type: RecordType
  readonly filter: Filter
  readonly chooseDay: (day: string) => void
}) {
  const { type, filter, chooseDay } = props
  const isOfUsualDays = filter.from_date === undefined && filter.to_date === undefined
  const summary = useSummary(type, filter)
  return (
    <Reading of={summary} what="the counts">
      {({ total, by_day }) => (
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
        </>
      )}
    </Reading>
  )
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
            empty="No registrations there on those days."
            more="Registered"
            {...(type === 'company' && { status: 'Kind' })}
          />
          <Pager total={total} limit={limit} one="record" />
        </>
      )}
    </Reading>
  )
}
