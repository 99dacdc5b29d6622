/** CRMs that a standing order may deliver into. */
import { useDestinations } from '../deliver/use-destinations.ts'

/** The account's CRMs, as far as whoever signed in may see them. */
export function useCrms(): readonly { readonly destination_id: string; readonly name: string }[] {
  return useDestinations().data?.data.filter(({ deliver }) => deliver !== 'approved') ?? []
}
