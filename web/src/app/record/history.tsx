/**
 * What changed in a record, when and by which snapshot, newest first. It counts as a detail, so it loads on a press or
 * from an address that includes it.
 */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { BusyButton } from '../../look/busy-button.tsx'
import { Day } from '../../look/moment.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed, metered } from '../../wire/queries.ts'
import type { RecordType } from '../listed/record-table.tsx'
import { CapitalOverTime } from './capital.tsx'
import { nameInWords, valueInWords } from './member-in-words.tsx'

const kinds = {
  insert: 'first seen',
  update: 'changed',
  close: 'closed',
  reopen: 'open again',
  withdraw: 'undone',
} as const

const limit = 100

async function readHistory(type: RecordType, id: string, page: number) {
  const asked = { page, limit } as const
  if (type === 'gst') return dataOf(await api.GET('/api/gst/history', { params: { query: { gstin: id, ...asked } } }))
  const withOffices = { ...asked, include: 'directorships' } as const
  if (type === 'director')
    return dataOf(await api.GET('/api/company/director-history', { params: { query: { din: id, ...withOffices } } }))
  return dataOf(await api.GET('/api/company/history', { params: { query: { cin: id, ...withOffices } } }))
}

export function History({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const [shown, setShown] = useAddressState('history')
  return (
    <section>
      <h2>History</h2>
      {shown !== '' ? (
        <Changes type={type} id={id} />
      ) : (
        <button type="button" onClick={() => setShown('shown')}>
          Show what changed (counts as one detail)
        </button>
      )}
    </section>
  )
}

function Changes({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const history = useInfiniteQuery({
    queryKey: ['history', type, id],
    queryFn: ({ pageParam }) => readHistory(type, id, pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit: ofPage, total }) => (page * ofPage < total ? page + 1 : undefined),
    meta: fixed,
    ...metered,
  })
  return (
    <Reading of={history} what="the history">
      {({ pages }) => (
        <>
          <CapitalOverTime of={pages.flatMap(({ data }) => data)} />
          <ol className="timeline">
            {pages
              .flatMap(({ data }) => data)
              .map(({ entity, identifier, kind, as_of, run_id, changes }) => (
                <li key={`${run_id} ${entity} ${identifier}`}>
                  <Day on={as_of} />: {entity !== type && <Other entity={entity} identifier={identifier} of={type} />}
                  {kinds[kind]}
                  {kind === 'insert' ? (
                    <details>
                      <summary>With these values</summary>
                      <ul>
                        {changes.map(({ field, after }) => (
                          <li key={field}>
                            {nameInWords(field)}: {valueInWords(field, after)}
                          </li>
                        ))}
                      </ul>
                    </details>
                  ) : (
                    <ul>
                      {changes.map(({ field, before, after }) => (
                        <li key={field}>
                          {nameInWords(field)}: <del>{valueInWords(field, before)}</del> →{' '}
                          <ins>{valueInWords(field, after)}</ins>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
          </ol>
          {history.hasNextPage && (
            <BusyButton isBusy={history.isFetchingNextPage} press={() => history.fetchNextPage()}>
              Show more (counts as one detail)
            </BusyButton>
          )}
        </>
      )}
    </Reading>
  )
}

/** An office: `CIN|DIN|designation|day`. One of the two is this page's record; the link leads to the other. */
function Other(props: { readonly entity: string; readonly identifier: string; readonly of: RecordType }) {
  const { entity, identifier, of } = props
  const [cin = '', din = '', designation = ''] = identifier.split('|')
  if (entity !== 'directorship' || din === '') return `${entity} ${identifier} `
  const [kind, id] = of === 'company' ? ['director', din] : ['company', cin]
  return (
    <>
      {designation} <Link href={`/record/${kind}/${id}`}>{id}</Link>,{' '}
    </>
  )
}
