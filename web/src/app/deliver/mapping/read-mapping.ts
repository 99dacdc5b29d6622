/** A destination's own mapping as saved, and a preview of a draft on the newest leads. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../../client/api-types.ts'
import { api, dataOf } from '../../../wire/api.ts'
import { fixed } from '../../../wire/queries.ts'

export type FieldMapping = components['schemas']['FieldMapping']
export type Mapping = Pick<components['schemas']['Mapping'], 'fields' | 'revision'>
export type Preview = components['schemas']['MappingPreview']

export const mappingOf = (id: string) =>
  queryOptions({
    queryKey: ['destinations', 'mapping', id],
    queryFn: async () => {
      const params = { path: { destination_id: id } }
      return dataOf(await api.GET('/api/crm/destinations/{destination_id}/mapping', { params }))
    },
  })

export const useMapping = (id: string) => useQuery(mappingOf(id))

/**
 * A preview queries the CRM for its fields, so each draft is previewed once. @param fields undefined until they are
 * known.
 */
export const previewOf = (id: string, fields: readonly FieldMapping[] | undefined) =>
  queryOptions({
    ...{ queryKey: ['mapping-preview', id, fields], meta: fixed, staleTime: Number.POSITIVE_INFINITY },
    queryFn: async () => {
      const params = { path: { destination_id: id } }
      const body = { fields: [...(fields ?? [])] }
      return dataOf(await api.POST('/api/crm/destinations/{destination_id}/mapping/preview', { params, body }))
    },
  })

export const usePreview = (id: string, fields: readonly FieldMapping[] | undefined) =>
  useQuery({
    ...previewOf(id, fields),
    enabled: fields !== undefined,
    placeholderData: (before: Preview | undefined) => before,
  })
