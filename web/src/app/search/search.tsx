/**
 * Search, in plain words or in the query language, with the results as a table, the filters, and the actions on
 * selected records.
 */
import { useState } from 'react'
import { Link } from 'wouter'
import { useAddressChange, useAddressState } from '../../look/address-state.ts'
import { Tabs } from '../../look/navigation.tsx'
import { Page } from '../../look/page.tsx'
import { onPhone } from '../../look/use-fit.ts'
import { useMay } from '../account.ts'
import { searches } from '../tabs.ts'
import { FilterChips } from './filters/chips.tsx'
import { FilterPanel } from './filters/panel.tsx'
import { useTerms } from './filters/read-filters.ts'
import { type Kind, kindOf, kinds } from './language.ts'
import { Phrase, useReadPhrase } from './phrase.tsx'
import { Question } from './question.tsx'
import { Results } from './results/results.tsx'
import { SaveScreener } from './save-screener.tsx'

export default function Search() {
  const [type] = useAddressState('type', 'company')
  const [query] = useAddressState('query')
  const [phrase] = useAddressState('phrase')
  const change = useAddressChange()
  const mayOrder = useMay('order')
  const kind = kindOf(type)
  // Once the query is edited or filtered, the words no longer describe it.
  const ask = (written: string) => change({ query: written, phrase: '' })
  const read = useReadPhrase(kind, (asked) => change({ ...asked }))
  const [isWritten, setWritten] = useState(false)
  const filters = useTerms(query, kind)
  return (
    <Page
      title="Search"
      tabs={<Tabs label="What is searched" entries={searches} />}
      acts={
        query !== '' && (
          <>
            <SaveScreener query={query} type={kind} />
            {mayOrder && (
              <Link href={`/standing-orders/make?${new URLSearchParams({ query, type: kind })}`} className="button">
                Make a standing order
              </Link>
            )}
          </>
        )
      }
    >
      <Phrase phrase={phrase} type={kind} read={read} />
      <details open={isWritten} onToggle={({ currentTarget }) => setWritten(currentTarget.open)}>
        <summary>Query language</summary>
        {isWritten && <Question type={kind} query={query} ask={ask} />}
      </details>
      {phrase === '' && <FilterChips terms={filters.terms} ask={ask} />}
      <div className="finding">
        <details className="panel-fold" open={isWide()}>
          <summary>Filters</summary>
          <Registers kind={kind} choose={(type) => change({ type, query: '', phrase: '' })} />
          <FilterPanel query={query} type={kind} read={filters} ask={ask} />
        </details>
        <div>
          {query === '' ? (
            <Beginning phrase={phrase} ask={read.mutate} />
          ) : (
            <Results key={`${kind} ${query}`} query={query} type={kind} terms={filters.terms} ask={ask} />
          )}
        </div>
      </div>
    </Page>
  )
}

/** Open by default where there is space next to the results; on a phone they would push the results away. */
const isWide = () => !matchMedia(onPhone).matches

const registers: Readonly<Record<Kind, string>> = { company: 'Companies', gst: 'GST' }

function Registers({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  return (
    <div className="segments">
      {kinds.map((each) => (
        <button key={each} type="button" aria-pressed={each === kind} onClick={() => choose(each)}>
          {registers[each]}
        </button>
      ))}
    </div>
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
