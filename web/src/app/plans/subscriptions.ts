/** Plans and offers that the account has or had, read once for the page. */
import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'

export type Subscription = components['schemas']['Subscription']

/** More than any account has at a time. */
const limit = 100

export const useSubscriptions = () =>
  useQuery({
    queryKey: ['subscriptions'],
    queryFn: async () => dataOf(await api.GET('/api/subscriptions', { params: { query: { limit } } })).data,
  })

export const isOpen = ({ status }: Pick<Subscription, 'status'>): boolean => status !== 'ended'
