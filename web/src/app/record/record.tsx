/** One record, now or as of a day, with its relations and its history. */

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { DayChoice } from '../../look/day-choice.tsx'
import { Facts } from '../../look/facts.tsx'
import { indianDay } from '../../look/indian-day.ts'
import { Day } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { fixed, metered } from '../../wire/queries.ts'
import { OrderThese } from '../listed/order-these.tsx'
import type { RecordType } from '../listed/record-table.tsx'
import { WatchThis } from '../watch-this.tsx'
import { Contacts } from './contacts.tsx'
import { FileOf } from './file-of.tsx'
import { History } from './history.tsx'
import { InCrms } from './in-crms.tsx'
import { nameInWords, valueInWords } from './member-in-words.tsx'
import { readNamesakes } from './namesakes.ts'
import { OtherCompanies } from './other-companies.tsx'
import { readRecord } from './read-record.ts'
import { type Neighbour, RelationGraph } from './relation-graph.tsx'
import { StatusLine } from './status-line.tsx'

const types: readonly RecordType[] = ['company', 'director', 'gst']

export default function RecordPage() {
  const { type = '', id = '' } = useParams()
  const kind = types.find((each) => each === type) ?? 'company'
  const [asOf, setAsOf] = useAddressState('as-of')
  const record = useQuery({
    queryKey: ['record', kind, id, asOf],
    queryFn: () => readRecord(kind, id, asOf),
    meta: fixed,
    ...metered,
  })
  const name = record.data?.name ?? id
  const isThere = !record.isLoadingError
  return (
    <Page
      title={name}
      acts={
        isThere && (
          <>
            <OrderThese records={[{ type: kind, id, name, state: null, status: null, more: '' }]} />
            <WatchThis type={kind} id={id} name={name} />
          </>
        )
      }
    >
      <div className="filters">
        <DayChoice label="As of" value={asOf} set={setAsOf} max={indianDay()} />
      </div>
      <Reading of={record} what="the record">
        {({ members, legalName, relations, version, origin }) => (
          <>
            <StatusLine members={members} />
            <p className="hint">
              As of <Day on={version?.as_of ?? origin?.data_as_of} />
              {asOf === '' && origin?.file && (
                <>
                  {' '}
                  from <FileOf name={origin.file} sha256={origin.sha256} />
                </>
              )}
              {version?.closed_on && (
                <>
                  , closed on <Day on={version.closed_on} />
                </>
              )}
              .
            </p>
            <Facts
              of={Object.entries(members).map(([field, value]) => [nameInWords(field), valueInWords(field, value)])}
            />
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
                  {relation.type === 'director' && (
                    <>
                      {' '}
                      · <OtherCompanies din={relation.id} of={id} name={relation.name} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Reading>
      {isThere && (
        <>
          <Contacts type={kind} id={id} name={name} />
          <InCrms type={kind} id={id} />
          <History type={kind} id={id} />
        </>
      )}
    </Page>
  )
}

/** The graph, with neighbours from the other register, which take a search and so load on a press. */
function Relations(props: {
  readonly kind: RecordType
  readonly name: string
  readonly relations: readonly Neighbour[]
}) {
  const { kind, name, relations } = props
  const [others, setOthers] = useAddressState('namesakes')
  const asked = others !== ''
  const namesakes = useQuery({
    queryKey: ['namesakes', kind, name],
    queryFn: () => readNamesakes(kind === 'gst' ? 'gst' : 'company', name),
    enabled: asked && kind !== 'director',
    meta: fixed,
    ...metered,
  })
  const found = namesakes.data ?? []
  return (
    <section>
      <h2>Relations</h2>
      <RelationGraph name={name} neighbours={[...relations, ...found]} />
      {kind !== 'director' && !asked && (
        <button type="button" onClick={() => setOthers('shown')}>
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
