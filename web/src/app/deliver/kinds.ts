/** The kinds of CRM that an account can connect, and what people call them. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../wire/api.ts'

export const useKinds = () =>
  useQuery({ queryKey: ['kinds'], queryFn: async () => dataOf(await api.GET('/api/crm/kinds')).data })

/** `Salesforce` of `salesforce`. */
export function useKindNames(): (type: string) => string {
  const kinds = useKinds()
  const labels = new Map(kinds.data?.map(({ type, label }) => [type, label]))
  return (type) => labels.get(type) ?? type
}
