/** Search: the editor, what the query means and how many it finds while it is typed, and what it found as a table. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { OrderThese } from '../listed/order-these.tsx'
import { type Chosen, RecordTable } from '../listed/record-table.tsx'
import { Facets } from './facets.tsx'
import { search } from './found.ts'
import { kindOf, kinds, type Reading as QueryReading } from './language.ts'
import { SaveScreener } from './save-screener.tsx'

const ScreenerEditor = lazy(() => import('./screener-editor.tsx'))
const limit = 25

export default function Search() {
  const [type, setType] = useAddressState('type', 'company')
  const [query, setQuery] = useAddressState('query')
  const [typed, setTyped] = useState(query)
  const [reading, setReading] = useState<QueryReading>()
  const kind = kindOf(type)
  const run = () => setQuery(typed.trim())
  const narrow = (narrower: string) => {
    setTyped(narrower)
    setQuery(narrower)
  }
  return (
    <Page title="Search" lead="Say what the records are like; Ctrl-Space completes, Ctrl-Enter searches.">
      <div className="filters">
        <Choice label="Register" value={kind} options={kinds} set={setType} />
      </div>
      <Suspense fallback={<p role="status">Fetching the editor …</p>}>
        {/* Another query in the address, as after going back, is another text in the editor. */}
        <ScreenerEditor key={query} type={kind} initial={query} changed={setTyped} read={setReading} run={run} />
      </Suspense>
      <Meaning query={typed.trim()} reading={reading} type={kind} />
      <div className="acts">
        <button type="button" className="main" disabled={typed.trim() === ''} onClick={run}>
          Search
        </button>
        {query !== '' && <SaveScreener query={query} type={kind} />}
      </div>
      {query === '' ? <Beginning /> : <Found query={query} type={kind} narrow={narrow} />}
    </Page>
  )
}

function Meaning(props: {
  readonly query: string
  readonly reading: QueryReading | undefined
  readonly type: ReturnType<typeof kindOf>
}) {
  const { reading, type } = props
  const canonical = reading?.ok ? reading.canonical : ''
  const query = useDeferredValue(props.query === '' ? '' : canonical)
  const total = useQuery({
    queryKey: ['count', type, query],
    queryFn: async () => (await search(query, type, 1, 1)).total,
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  if (props.query === '' || !reading) return <p className="hint">Nothing is asked yet.</p>
  if (!reading.ok) {
    return (
      <p role="status" className="hint">
        {reading.mistake.message}
      </p>
    )
  }
  return (
    <p role="status" className="hint">
      {total.data === undefined ? 'Counting …' : `Finds ${counted(total.data, 'record')}.`} Read as{' '}
      <code>{reading.canonical}</code>
    </p>
  )
}

function Found(props: {
  readonly query: string
  readonly type: ReturnType<typeof kindOf>
  readonly narrow: (query: string) => void
}) {
  const { query, type, narrow } = props
  const [page] = usePage()
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const found = useQuery({
    queryKey: ['search', type, query, page],
    queryFn: () => search(query, type, page, limit),
    placeholderData: keepPreviousData,
  })
  return (
    <Reading of={found} what="what was found">
      {({ hits, total, notice }) => (
        <>
          <h2>{counted(total, 'record')} found</h2>
          {notice && <p className="notice">{notice}</p>}
          {total > 0 && <Facets query={query} type={type} narrow={narrow} />}
          <RecordTable
            caption="Records that were found"
            records={hits}
            chosen={chosen}
            choose={setChosen}
            acts={<OrderThese records={[...chosen.values()]} />}
            empty="No record is like that. Leave a condition away, or compare with fewer words."
          />
          <Pager total={total} limit={limit} one="record" />
        </>
      )}
    </Reading>
  )
}

function Beginning() {
  return (
    <div className="empty">
      <p>
        Begin with a field and a value, for example <code>State == 'Goa' AND paidUpCapital &gt; 10 lakh</code>. The
        editor names the fields as you type.
      </p>
    </div>
  )
}
