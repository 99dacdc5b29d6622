/** The kinds of CRM that an operator can connect, with their names. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'

export const useKinds = () =>
  useQuery({ queryKey: ['kinds'], queryFn: async () => dataOf(await api.GET('/admin/destinations/kinds')).data })
