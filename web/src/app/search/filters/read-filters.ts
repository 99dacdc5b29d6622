/** The filters of a query, and the number of records that each further filter would leave, from the API. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../../client/api-types.ts'
import { api, dataOf } from '../../../wire/api.ts'
import { metered } from '../../../wire/queries.ts'
import { useReadPage } from '../../../wire/use-read.ts'
import type { Kind } from '../language.ts'
import type { Terms } from './terms.ts'

export type Facet = components['schemas']['Facet']
export type FacetValue = components['schemas']['FacetValue']

const none: Terms = []

/** The filters of the query in the address, or of the previous query until they are `read`. */
export function useTerms(query: string, type: Kind): { readonly terms: Terms; readonly isRead: boolean } {
  const { data, isPlaceholderData } = useReadPage(
    ['terms', type, query],
    () => api.POST('/api/screener/terms', { body: { query, type } }),
    { enabled: query !== '', staleTime: Number.POSITIVE_INFINITY },
  )
  if (query === '') return { terms: none, isRead: true }
  return { terms: data?.terms ?? none, isRead: data !== undefined && !isPlaceholderData }
}

export const useFacets = (query: string, type: Kind) =>
  useQuery({
    queryKey: ['facets', type, query],
    queryFn: async ({ signal }) => dataOf(await api.POST('/api/screener/facets', { body: { query, type }, signal })),
    placeholderData: keepPreviousData,
    ...metered,
  })
