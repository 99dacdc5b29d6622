/** Reads one CRM, and gives the initial values of a form that changes part of it. */
import { queryOptions } from '@tanstack/react-query'
import type { Destination } from '../../look/crm/destination-state.tsx'
import type { FieldShape } from '../../look/field-shape.ts'
import { api, dataOf } from '../../wire/api.ts'
import { readAgain } from '../../wire/queries.ts'

export const destinationOf = (id: string) =>
  queryOptions({
    queryKey: ['destinations', 'one', id],
    queryFn: async () =>
      dataOf(await api.GET('/api/crm/destinations/{destination_id}', { params: { path: { destination_id: id } } })),
  })

/** @param fieldsOf the fields that the form asks for. */
export function wholeDestination(known: Destination, fieldsOf: (of: Destination) => readonly FieldShape[]) {
  const begun = (of: Destination) => ({ fields: fieldsOf(of), revision: of.revision })
  const readAnew = async () => begun(await readAgain(destinationOf(known.destination_id)))
  return { what: known.name, ...begun(known), readAnew }
}
