/** Rejected rows of a run by their position in the file, read a page at a time around the visible ones. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { components } from '../../../../client/api-types.ts'
import { api, dataOf, type SortOf } from '../../wire/api.ts'
import { fixed } from '../../wire/queries.ts'

export type Reject = components['schemas']['Reject']
export type RejectCode = Reject['code']

const pageSize = 100

interface Asked {
  readonly id: string
  readonly code: RejectCode | undefined
}
interface Sorted extends Asked {
  readonly sort?: SortOf<'listRejects'>
}

/** The rejects of a finished run never change. A page that is no longer visible is not waited for. */
const pageOf = ({ id, code, sort }: Sorted, page: number) => ({
  queryKey: ['rejects', id, code ?? '', sort ?? '', page],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { page, limit: pageSize, ...(code && { code }), ...(sort && { sort }) }
    return dataOf(await api.GET('/admin/ingest/runs/{id}/rejects', { params: { path: { id }, query }, signal }))
  },
  meta: fixed,
  staleTime: Number.POSITIVE_INFINITY,
})

export function useRejects({ sort, ...asked }: Sorted) {
  const [[first, last], setSight] = useState<readonly [number, number]>([0, 0])
  const onSight = useCallback((from: number, to: number) => setSight([from, to]), [])
  // The total is the same in every order.
  const head = useQuery(pageOf(asked, 1))
  const from = Math.floor(first / pageSize)
  const until = Math.floor(last / pageSize)
  const pages = useQueries({
    queries: Array.from({ length: until - from + 1 }, (_, index) =>
      pageOf({ ...asked, ...(sort && { sort }) }, from + index + 1),
    ),
  })
  const rowAt = (index: number): Reject | undefined =>
    pages[Math.floor(index / pageSize) - from]?.data?.data[index % pageSize]
  return { head, rowAt, onSight, failed: pages.find(({ isError }) => isError) }
}
