import { z } from 'zod'
import { productOf } from '../../../orders/subscriptions/products.ts'
import { operation } from '../../operation.ts'
import { productId } from '../../parameters.ts'
import { buyAndAnswer, buyingErrors } from '../subscriptions/buying.ts'
import { Bought, BuyBody, examplePlan } from '../subscriptions/subscription-schemas.ts'
import example from './buy.example.json' with { type: 'json' }

export default operation({
  id: 'buyPlan',
  method: 'POST',
  path: '/api/plans/:id/buy',
  summary: 'Buy or extend a plan',
  description:
    'With credits it starts at once; online, with the payment. Buying an active plan renews it: the new term starts ' +
    'where the last one ends, and a cancellation is undone. ' +
    'A different plan replaces nothing: your other subscriptions continue and renew as before ' +
    '(`other_subscriptions`); POST /api/subscriptions/{id}/cancel ends one at the end of its term.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: [...buyingErrors],
  idempotent: 'with-effect',
  params: z.object({
    id: productId('ID of the plan', examplePlan),
  }),
  body: BuyBody,
  reply: { 201: Bought },
  example,
  handle: async (context, request, principal) => {
    const product = productOf('plan', request.params.id)
    return await buyAndAnswer(context, request, principal, product)
  },
})
