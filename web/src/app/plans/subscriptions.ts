/** Plans and offers that the account holds or held, read once for the page that shows and sells them. */
import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'

export type Subscription = components['schemas']['Subscription']

/** More than anybody holds at a time. */
const limit = 100

export const useSubscriptions = () =>
  useQuery({
    queryKey: ['subscriptions'],
    queryFn: async () => dataOf(await api.GET('/api/subscriptions', { params: { query: { limit } } })).data,
  })

export const isOpen = ({ status }: Pick<Subscription, 'status'>): boolean => status !== 'ended'
