/** What somebody who approves an import must have seen: why it stopped, and what it would write in all. */
import { useQuery } from '@tanstack/react-query'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed } from '../../wire/queries.ts'
import type { Run } from './run-reads.ts'

export const usePreview = ({ run_id: id }: Pick<Run, 'run_id'>) =>
  useQuery({
    queryKey: ['runs', 'preview', id],
    queryFn: async () =>
      dataOf(await api.GET('/admin/ingest/runs/{id}/preview', { params: { path: { id: String(id) } } })),
    // A run that no longer waits has none.
    meta: fixed,
    staleTime: Number.POSITIVE_INFINITY,
  })

export function Suspicions({ of: run }: { readonly of: Run }) {
  return (
    <Reading of={usePreview(run)} what="what it would write">
      {({ reasons, inserted, updated, closed, unchanged }) => (
        <>
          <div className="notice warn">
            {reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </div>
          <p>
            In all {counted(inserted, 'new record')}, {count(updated)} changed, <strong>{count(closed)} closed</strong>,{' '}
            {count(unchanged)} as before.
          </p>
        </>
      )}
    </Reading>
  )
}
