/** What people call the CRM of each of the account's connections, `Salesforce`, as far as whoever signed in may see them. */
import { useKindNames } from './kinds.ts'
import { useDestinations } from './use-destinations.ts'

export function useCrmNames(): ReadonlyMap<string, string> {
  const [nameOf, destinations] = [useKindNames(), useDestinations()]
  return new Map(destinations.data?.data.map(({ destination_id, type }) => [destination_id, nameOf(type)]))
}
