/** What an operator must see before approving an import: why it stopped, and what it would write in total. */
import { useQuery } from '@tanstack/react-query'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed } from '../../wire/queries.ts'
import type { Run } from './run-reads.ts'

/** A run that needs approval again, or whose figures no longer hold, has other reasons. */
export const usePreview = ({ run_id: id, error }: Pick<Run, 'run_id' | 'error'>) =>
  useQuery({
    queryKey: ['runs', 'preview', id, error],
    queryFn: async () =>
      dataOf(await api.GET('/admin/ingest/runs/{id}/preview', { params: { path: { id: String(id) } } })),
    // A run that no longer needs approval has none.
    meta: fixed,
    staleTime: Number.POSITIVE_INFINITY,
  })

const reasonsInSight = 3

/** A truncated snapshot has a reason for each partition; the first few say enough. */
export function Reasons({ of: reasons, lead }: { readonly of: readonly string[]; readonly lead?: string | undefined }) {
  const further = reasons.slice(reasonsInSight)
  return (
    <div className="notice warn">
      {lead && <p>{lead}</p>}
      {reasons.slice(0, reasonsInSight).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {further.length > 0 && (
        <details>
          <summary>{counted(further.length, 'more reason')}</summary>
          {further.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </details>
      )}
    </div>
  )
}

interface Amounts {
  readonly inserted: number
  readonly updated: number
  readonly closed: number
  readonly unchanged: number
}

export const InAll = ({ of: { inserted, updated, closed, unchanged } }: { readonly of: Amounts }) => (
  <p>
    In all {counted(inserted, 'new record')}, {count(updated)} changed, <strong>{count(closed)} closed</strong>,{' '}
    {count(unchanged)} as before.
  </p>
)

export function Suspicions({ of: run }: { readonly of: Run }) {
  return (
    <Reading of={usePreview(run)} what="what it would write">
      {({ reasons, ...all }) => (
        <>
          <Reasons of={reasons} />
          <InAll of={all} />
        </>
      )}
    </Reading>
  )
}
