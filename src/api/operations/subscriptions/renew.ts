import { AppError } from '../../../errors.ts'
import { productOf } from '../../../orders/subscriptions/products.ts'
import { readSubscription } from '../../../orders/subscriptions/read-subscriptions.ts'
import { operation } from '../../operation.ts'
import { buyAndAnswer, buyingErrors } from './buying.ts'
import example from './renew.example.json' with { type: 'json' }
import { params } from './subscription-answers.ts'
import { Bought, BuyBody } from './subscription-schemas.ts'

export default operation({
  id: 'renewSubscription',
  method: 'POST',
  path: '/api/subscriptions/:id/renew',
  summary: 'Renew a subscription',
  description:
    "A new term starts where the last one ends, at today's price; also within the grace period. One that is " +
    'over must be bought again.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: [...buyingErrors],
  idempotent: 'with-effect',
  params,
  body: BuyBody,
  reply: { 201: Bought },
  example,
  handle: async (context, request, principal) => {
    const { kind, product, status } = await readSubscription(context.db, principal.accountId, request.params.id)
    if (status === 'ended') throw new AppError('CONFLICT', 'This subscription has ended; buy it again.')
    return await buyAndAnswer(context, request, principal, productOf(kind, product))
  },
})
