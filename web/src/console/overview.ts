/** The overview of the installation, cached once for the pages that read it. */
import type { components } from '../../../client/api-types.ts'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'

export type Overview = components['schemas']['Overview']

const everyMs = 10_000

export function useOverview() {
  return useRead(['overview'], () => api.GET('/admin/overview'), { refetchInterval: everyMs })
}
