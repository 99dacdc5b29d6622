import { z } from 'zod'
import { listSubscriptions } from '../../../orders/subscriptions/read-subscriptions.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging } from '../../parameters.ts'
import example from './list.example.json' with { type: 'json' }
import { Subscription, shownSubscription } from './subscription-schemas.ts'

export default operation({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/api/subscriptions',
  summary: 'List your subscriptions with their terms',
  description: 'Active and ended ones, the one that ends last first.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({ ...paging(100) }),
  reply: { 200: pageOf(Subscription) },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { subscriptions, total } = await listSubscriptions(db, accountId, { page, limit })
    return { data: subscriptions.map(shownSubscription), total, page, limit }
  },
})
