/** The CRMs of the account, as far as whoever signed in may see them. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'
import { useMayRead } from '../account.ts'

export const useDestinations = () =>
  useQuery({
    queryKey: ['destinations'],
    queryFn: async () => dataOf(await api.GET('/api/crm/destinations')),
    enabled: useMayRead('deliver'),
  })
