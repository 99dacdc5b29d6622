/** What people call the CRM of each of the account's connections, `Salesforce`, as far as whoever signed in may see them. */
import { useKinds } from './kinds.ts'
import { useDestinations } from './use-destinations.ts'

export function useCrmNames(): ReadonlyMap<string, string> {
  const [kinds, destinations] = [useKinds(), useDestinations()]
  const labels = new Map(kinds.data?.map(({ type, label }) => [type, label]))
  return new Map(destinations.data?.data.map(({ destination_id, type }) => [destination_id, labels.get(type) ?? type]))
}
