/**
 * Names of the CRM kinds, such as `Salesforce`, by connection id, as far as the signed-in person or key may read them.
 */
import { useKindNames } from './kinds.ts'
import { useDestinations } from './use-destinations.ts'

export function useCrmNames(): ReadonlyMap<string, string> {
  const [nameOf, destinations] = [useKindNames(), useDestinations()]
  return new Map(destinations.data?.data.map(({ destination_id, type }) => [destination_id, nameOf(type)]))
}
