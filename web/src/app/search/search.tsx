/** Search: what is asked, and what it found as a table, with the ways to narrow it and what can be done with the chosen ones. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
import { type Kind, kindOf, kinds } from './language.ts'
import { Question } from './question.tsx'

const limit = 25

export default function Search() {
  const [type, setType] = useAddressState('type', 'company')
  const [query, setQuery] = useAddressState('query')
  const kind = kindOf(type)
  return (
    <Page title="Search" lead="Say what the records are like; Ctrl-Space completes, Ctrl-Enter searches.">
      <div className="filters">
        <Choice label="Register" value={kind} options={kinds} set={setType} />
      </div>
      <Question type={kind} query={query} ask={setQuery} />
      {query === '' ? <Beginning /> : <Found key={`${kind} ${query}`} query={query} type={kind} narrow={setQuery} />}
    </Page>
  )
}

function Found(props: { readonly query: string; readonly type: Kind; readonly narrow: (query: string) => void }) {
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
