/** The overview of the installation, cached once for the pages that read it. */
import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../client/api-types.ts'
import { api, dataOf } from '../wire/api.ts'

export type Overview = components['schemas']['Overview']

const everyMs = 10_000

export function useOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: async () => dataOf(await api.GET('/admin/overview')),
    refetchInterval: everyMs,
  })
}
