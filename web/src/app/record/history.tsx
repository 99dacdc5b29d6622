/** What changed in a record, when and by which snapshot, the newest first. It is a read of its own, asked for by a press. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plain } from '../../look/facts.tsx'
import { Day } from '../../look/moment.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed } from '../../wire/queries.ts'
import type { RecordType } from '../listed/record-table.tsx'

const kinds = {
  insert: 'first seen',
  update: 'changed',
  close: 'closed',
  reopen: 'open again',
  withdraw: 'taken back',
} as const

async function readHistory(type: RecordType, id: string) {
  if (type === 'gst') return dataOf(await api.GET('/api/gst/history', { params: { query: { gstin: id } } }))
  if (type === 'director') {
    return dataOf(
      await api.GET('/api/company/director-history', { params: { query: { din: id, include: 'directorships' } } }),
    )
  }
  return dataOf(await api.GET('/api/company/history', { params: { query: { cin: id, include: 'directorships' } } }))
}

export function History({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const [asked, setAsked] = useState(false)
  return (
    <section>
      <h2>History</h2>
      {asked ? (
        <Changes type={type} id={id} />
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Show what changed (counts as one detail)
        </button>
      )}
    </section>
  )
}

function Changes({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const history = useQuery({
    queryKey: ['history', type, id],
    queryFn: () => readHistory(type, id),
    meta: fixed,
    staleTime: 600_000,
    refetchOnWindowFocus: false,
  })
  return (
    <Reading of={history} what="the history">
      {({ data }) => (
        <ol className="timeline">
          {data.map(({ entity, identifier, kind, as_of, run_id, changes }) => (
            <li key={`${run_id} ${entity} ${identifier}`}>
              <Day on={as_of} />: {entity === type ? '' : `${entity} ${identifier} `}
              {kinds[kind]}
              <ul>
                {changes.map(({ field, before, after }) => (
                  <li key={field}>
                    {field}: <del>{plain(before)}</del> → <ins>{plain(after)}</ins>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </Reading>
  )
}
