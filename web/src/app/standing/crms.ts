/** CRMs that a standing order may deliver to. */
import { useDestinations } from '../deliver/use-destinations.ts'
import type { Crm } from './standing-shape.ts'

/** As far as the signed-in person or key may read them; undefined while they load. */
export function useCrms(): readonly Crm[] | undefined {
  const { data, isLoading } = useDestinations()
  return isLoading ? undefined : (data?.data ?? []).filter(({ deliver }) => deliver !== 'approved')
}
