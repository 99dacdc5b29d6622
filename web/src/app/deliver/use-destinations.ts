/** The account's CRMs, as far as the signed-in person or key may read them. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'
import { useMayRead } from '../account.ts'

export const useDestinations = () =>
  useQuery({
    queryKey: ['destinations'],
    queryFn: async () => dataOf(await api.GET('/api/crm/destinations')),
    enabled: useMayRead('deliver'),
  })
