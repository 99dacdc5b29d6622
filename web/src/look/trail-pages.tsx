/** The trail as far as it was read, with the button that reads on. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Failure } from './failure.tsx'
import { type TrailEntry, TrailTable } from './trail-table.tsx'

type Pages = InfiniteData<{ readonly data: readonly TrailEntry[] }>

export function TrailPages({ of: trail }: { readonly of: UseInfiniteQueryResult<Pages> }) {
  return (
    <>
      {trail.isError && <Failure of={trail.error} again={() => void trail.refetch()} />}
      {trail.isPending && <p role="status">Reading the trail …</p>}
      {trail.data && <TrailTable entries={trail.data.pages.flatMap(({ data }) => data)} />}
      {trail.hasNextPage && (
        <button type="button" disabled={trail.isFetching} onClick={() => void trail.fetchNextPage()}>
          {trail.isFetching ? 'Reading older ones …' : 'Older ones'}
        </button>
      )}
    </>
  )
}
