/** CRMs that a standing order may deliver into. */
import { useDestinations } from '../deliver/use-destinations.ts'
import type { Crm } from './standing-shape.ts'

/** The account's CRMs, as far as whoever signed in may see them; undefined while they are read. */
export function useCrms(): readonly Crm[] | undefined {
  const { data, isLoading } = useDestinations()
  return isLoading ? undefined : (data?.data ?? []).filter(({ deliver }) => deliver !== 'approved')
}
