/** CRMs that a standing order may deliver into. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'
import { useMayRead } from '../account.ts'

/** The account's CRMs, as far as whoever signed in may see them. */
export function useCrms(): readonly { readonly destination_id: string; readonly name: string }[] {
  const crms = useQuery({
    queryKey: ['destinations'],
    queryFn: async () => dataOf(await api.GET('/api/crm/destinations')),
    enabled: useMayRead('deliver'),
  })
  return crms.data?.data.filter(({ deliver }) => deliver !== 'approved') ?? []
}
