import { z } from 'zod'
import { offers } from '../../../../config/sales.ts'
import { productOf } from '../../../orders/subscriptions/products.ts'
import { operation } from '../../operation.ts'
import { productId } from '../../parameters.ts'
import { buyAndAnswer, buyingErrors } from '../subscriptions/buying.ts'
import { Bought, BuyBody } from '../subscriptions/subscription-schemas.ts'
import example from './buy.example.json' with { type: 'json' }

const pricedOffer = offers.find(({ price }) => price > 0)?.id ?? ''

export default operation({
  id: 'buyOffer',
  method: 'POST',
  path: '/api/offers/:id/buy',
  summary: 'Buy or extend a priced offer',
  description:
    'Opens its feeds for its days: at once with credits, or with the payment online. A free offer is activated instead.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: [...buyingErrors],
  idempotent: 'with-effect',
  params: z.object({
    id: productId('ID of the offer', pricedOffer),
  }),
  body: BuyBody,
  reply: { 201: Bought },
  example,
  handle: async (context, request, principal) => {
    const product = productOf('offer', request.params.id)
    return await buyAndAnswer(context, request, principal, product)
  },
})
