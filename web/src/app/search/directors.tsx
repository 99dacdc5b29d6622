/**
 * Directors by name, the one register without a query language. Searches count against the daily limit, so one runs
 * only when it is submitted.
 */
import { useState } from 'react'
import type { components } from '../../../../client/api-types.ts'
import { useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { registerReach } from '../../look/last-page.ts'
import { Tabs } from '../../look/navigation.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { stateNames } from '../../look/states.ts'
import { api } from '../../wire/api.ts'
import { metered } from '../../wire/queries.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { OrderThese } from '../listed/order-these.tsx'
import { type Chosen, type ListedRecord, RecordTable } from '../listed/record-table.tsx'
import { searches } from '../tabs.ts'

const limit = 25

export default function Directors() {
  const [name, setName] = useAddressState('name')
  const [state, setState] = useAddressState('state')
  return (
    <Page
      title="Directors"
      tabs={<Tabs label="What is searched" entries={searches} />}
      lead="By name, first and last; each part matches by its beginning."
    >
      <SearchBox label="Name or DIN" value={name} set={setName} />
      <div className="filters">
        <Choice label="State" value={state} options={['', ...stateNames]} set={setState} />
      </div>
      {name === '' ? (
        <div className="empty">
          <p>
            Type a name, for example <code>Naveen Patil</code>, or a DIN. Directors of one company are also listed on
            that company’s page.
          </p>
        </div>
      ) : (
        <Found key={`${name} ${state}`} name={name} state={state} />
      )}
    </Page>
  )
}

function Found({ name, state }: { readonly name: string; readonly state: string }) {
  const [page] = usePage()
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const query = { ...askedFor(name), ...(state && { state }), page, limit }
  const found = useReadPage(
    ['directors', name, state, page],
    () => api.GET('/api/company/director-filter', { params: { query } }),
    { ...metered },
  )
  return (
    <Reading of={found} what="the directors">
      {({ results, total_results: total }) => {
        const records = results.map(recordOf)
        return (
          <>
            <h2>{counted(total, 'director')} found</h2>
            <RecordTable
              caption="Directors that were found"
              records={records}
              chosen={chosen}
              choose={setChosen}
              acts={<OrderThese records={[...chosen.values()]} />}
              empty={emptyOf(name, state)}
            />
            <Pager total={total} limit={limit} one="director" reach={registerReach} />
          </>
        )
      }}
    </Reading>
  )
}

/** What of the search may be left out; a DIN is one person's in all states. */
function emptyOf(name: string, state: string): string {
  const inState = state === '' ? '' : ` in ${state}`
  if (isDin(name))
    return `No director has the DIN ${name}${inState}. Check its digits${state && ', or look in all states'}.`
  const ways = [
    ...(/\s/.test(name) ? ['leave out the last name'] : ['check the spelling']),
    ...(state && ['look in all states']),
  ]
  const [first = '', ...others] = ways
  return `Nobody${inState} is called that. ${first.charAt(0).toUpperCase()}${first.slice(1)}${others.map((way) => `, or ${way}`).join('')}.`
}

const isDin = (name: string): boolean => /^\d{1,8}$/.test(name)

/** `Naveen`, `Naveen Patil`, `Naveen Kumar Patil`, or a DIN. */
function askedFor(name: string) {
  if (isDin(name)) return { din: name }
  const [firstName = '', ...rest] = name.split(/\s+/)
  const lastName = rest.pop()
  const middleName = rest.join(' ')
  return { firstName, ...(middleName && { middleName }), ...(lastName && { lastName }) }
}

function recordOf(hit: components['schemas']['DirectorHit']): ListedRecord {
  const { DIN, firstName, lastName, state, gender } = hit
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return { type: 'director', id: DIN, name: name || DIN, state, status: null, more: gender ?? '' }
}
