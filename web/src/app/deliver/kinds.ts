/** The kinds of CRM that an account can connect. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'

export const useKinds = () =>
  useQuery({ queryKey: ['kinds'], queryFn: async () => dataOf(await api.GET('/api/crm/kinds')).data })
