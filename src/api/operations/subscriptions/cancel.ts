import { cancelSubscription } from '../../../orders/subscriptions/cancel-subscription.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import example from './cancel.example.json' with { type: 'json' }
import { params } from './subscription-answers.ts'
import { Subscription, shownSubscription } from './subscription-schemas.ts'

export default operation({
  id: 'cancelSubscription',
  method: 'POST',
  path: '/api/subscriptions/:id/cancel',
  summary: 'Cancel a subscription at the end of its term',
  description: 'It stays open until the paid term ends, without a grace period. A repeat changes nothing.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: ['NOT_FOUND', 'CONFLICT'],
  ends: true,
  params,
  body: noBody,
  reply: { 200: Subscription },
  example,
  handle: async ({ db }, request, { accountId }) => {
    return shownSubscription(
      await db.transaction((tx) => cancelSubscription(tx, accountId, request.params.id, `account:${accountId}`)),
    )
  },
})
