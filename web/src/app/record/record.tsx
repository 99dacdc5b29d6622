/** One record: as it is or was on a day, what it belongs to, and its history. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { DayChoice } from '../../look/day-choice.tsx'
import { Facts, plain } from '../../look/facts.tsx'
import { Day } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { fixed } from '../../wire/queries.ts'
import { OrderThese } from '../listed/order-these.tsx'
import type { RecordType } from '../listed/record-table.tsx'
import { WatchThis } from '../watch-this.tsx'
import { History } from './history.tsx'
import { readNamesakes } from './namesakes.ts'
import { readRecord } from './read-record.ts'
import { type Neighbour, RelationGraph } from './relation-graph.tsx'

const types: readonly RecordType[] = ['company', 'director', 'gst']

export default function RecordPage() {
  const { type = '', id = '' } = useParams()
  const kind = types.find((each) => each === type) ?? 'company'
  const [asOf, setAsOf] = useAddressState('as-of')
  const record = useQuery({
    queryKey: ['record', kind, id, asOf],
    queryFn: () => readRecord(kind, id, asOf),
    // A detail is counted: it is not read again because somebody looked away.
    meta: fixed,
    staleTime: 600_000,
    refetchOnWindowFocus: false,
  })
  const name = record.data?.name ?? id
  return (
    <Page
      title={name}
      acts={
        <>
          <OrderThese records={[{ type: kind, id, name, state: null, status: null, more: '' }]} />
          <WatchThis type={kind} id={id} name={name} />
        </>
      }
    >
      <div className="filters">
        <DayChoice label="As of" value={asOf} set={setAsOf} max={today()} />
      </div>
      <Reading of={record} what="the record">
        {({ members, legalName, relations, version }) => (
          <>
            {version && (
              <p className="hint">
                As it was taken in for <Day on={version.as_of} />
                {version.closed_on && (
                  <>
                    , closed on <Day on={version.closed_on} />
                  </>
                )}
                .
              </p>
            )}
            <Facts of={Object.entries(members).map(([field, value]) => [field, plain(value)])} />
            {kind === 'company' && asOf === '' && (
              <p className="hint">
                Who holds office is told of a day.{' '}
                <button type="button" className="as-link" onClick={() => setAsOf(today())}>
                  As of today
                </button>
              </p>
            )}
            <Relations kind={kind} name={legalName ?? name} relations={relations} />
            {relations.length > 0 && <h2>{kind === 'company' ? 'Directors' : 'Companies'}</h2>}
            <ul>
              {relations.map((relation) => (
                <li key={`${relation.id} ${relation.role} ${relation.from}`}>
                  <Link href={`/record/${relation.type}/${relation.id}`}>{relation.name}</Link>, {relation.role}, from{' '}
                  <Day on={relation.from} />
                  {relation.to && (
                    <>
                      {' '}
                      to <Day on={relation.to} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Reading>
      <History type={kind} id={id} />
    </Page>
  )
}

/** The graph, and what it gains from the other register, which is a search of its own and asked for by a press. */
function Relations(props: {
  readonly kind: RecordType
  readonly name: string
  readonly relations: readonly Neighbour[]
}) {
  const { kind, name, relations } = props
  const [asked, setAsked] = useState(false)
  const namesakes = useQuery({
    queryKey: ['namesakes', kind, name],
    queryFn: () => readNamesakes(kind === 'gst' ? 'gst' : 'company', name),
    enabled: asked && kind !== 'director',
    meta: fixed,
    staleTime: 600_000,
  })
  const found = namesakes.data ?? []
  return (
    <section>
      <h2>Relations</h2>
      <RelationGraph name={name} neighbours={[...relations, ...found]} />
      {kind !== 'director' && !asked && (
        <button type="button" onClick={() => setAsked(true)}>
          {kind === 'gst' ? 'Find companies of this name' : 'Find GST registrations of this name'}
        </button>
      )}
      {asked && (
        <Reading of={namesakes} what="the other register">
          {(others) =>
            others.length === 0 ? (
              <p className="hint">The other register holds none of this name.</p>
            ) : (
              <ul>
                {others.map(({ type, id, role }) => (
                  <li key={id}>
                    <Link href={`/record/${type}/${encodeURIComponent(id)}`}>{id}</Link>, {role}
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      )}
    </section>
  )
}

const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Kolkata' })
