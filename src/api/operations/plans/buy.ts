import { z } from 'zod'
import { productOf } from '../../../orders/subscriptions/products.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { buyAndAnswer, buyingErrors } from '../subscriptions/buying.ts'
import { Bought, BuyBody, examplePlan } from '../subscriptions/subscription-schemas.ts'
import example from './buy.example.json' with { type: 'json' }

export default operation({
  id: 'buyPlan',
  method: 'POST',
  path: '/api/plans/:id/buy',
  tag: 'Account',
  summary: 'Buy a plan, or a further term of it',
  description:
    'With credits it begins at once; online with the payment. Bought while it lives it is renewed: the new term begins ' +
    'where the last one ends, and a cancellation is taken back. ' +
    'Another plan replaces none: what else you have goes on beside it and renews itself as before ' +
    '(`other_subscriptions`); POST /api/subscriptions/{id}/cancel ends it at its end.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: [...buyingErrors],
  idempotent: 'with-effect',
  params: z.object({
    id: z
      .string()
      .max(200)
      .meta({ description: 'Id of the plan', examples: [examplePlan] }),
  }),
  body: BuyBody,
  reply: { 201: Bought },
  example,
  handle: (context) => async (request) => {
    const product = productOf('plan', request.params.id)
    return await buyAndAnswer(context, request, principalOf(request).accountId, product)
  },
})
