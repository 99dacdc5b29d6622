/** Search: what is asked, in plain words or in the query language, which say the same; and what it found as a table, with the ways to narrow it and what can be done with the chosen ones. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddressChange, useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { OrderThese } from '../listed/order-these.tsx'
import { type Chosen, RecordTable } from '../listed/record-table.tsx'
import { MakeStanding } from '../standing/make-standing.tsx'
import { Facets } from './facets.tsx'
import { search } from './found.ts'
import { type Kind, kindOf, kinds } from './language.ts'
import { Phrase, useReadPhrase } from './phrase.tsx'
import { Question } from './question.tsx'
import { SaveScreener } from './save-screener.tsx'

const limit = 25

export default function Search() {
  const [type] = useAddressState('type', 'company')
  const [query] = useAddressState('query')
  const [phrase] = useAddressState('phrase')
  const change = useAddressChange()
  const kind = kindOf(type)
  // A query that was written or narrowed is no longer what the words said.
  const ask = (written: string) => change({ query: written, phrase: '' })
  const read = useReadPhrase(kind, (asked) => change({ ...asked }))
  const [isWritten, setWritten] = useState(query !== '' && phrase === '')
  return (
    <Page title="Search" lead="In plain words, or in the query language.">
      <Phrase phrase={phrase} type={kind} read={read} />
      <details open={isWritten} onToggle={({ currentTarget }) => setWritten(currentTarget.open)}>
        <summary>Query language</summary>
        {isWritten && (
          <>
            <div className="filters">
              <Choice
                label="Register"
                value={kind}
                options={kinds}
                set={(chosen) => change({ type: chosen, phrase: '' })}
              />
            </div>
            <Question type={kind} query={query} ask={ask} />
          </>
        )}
      </details>
      {query !== '' && (
        <div className="acts">
          <SaveScreener query={query} type={kind} />
          <MakeStanding query={query} type={kind} />
        </div>
      )}
      {query === '' ? (
        <Beginning phrase={phrase} ask={read.mutate} />
      ) : (
        <Found key={`${kind} ${query}`} query={query} type={kind} narrow={ask} />
      )}
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

function Beginning({ phrase, ask }: { readonly phrase: string; readonly ask: (phrase: string) => void }) {
  const examples = [
    'private companies in Maharashtra with a mobile',
    'active GST registrations in Pune',
    'LLPs registered this year',
  ]
  return (
    <div className="empty">
      <p>
        {phrase === '' ? 'Type what you are looking for' : 'None of these words says what to look for. Try others'}, for
        example:
      </p>
      <ul>
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="as-link" onClick={() => ask(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
