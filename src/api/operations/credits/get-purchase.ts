import { z } from 'zod'
import { readCheckout } from '../../../orders/checkouts.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { examplePurchase, Purchase, shownPurchase } from '../subscriptions/subscription-schemas.ts'

export default operation({
  id: 'getCreditPurchase',
  method: 'GET',
  path: '/api/credits/purchases/:id',
  summary: 'Get a purchase',
  description: '`pending` until the processor reports its payment.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  errors: ['NOT_FOUND'],
  params: z.object({ id: uuid('ID of the purchase').meta({ examples: [exampleIds.order] }) }),
  reply: { 200: Purchase },
  example: examplePurchase,
  handle: async ({ db }, request, { accountId }) => shownPurchase(await readCheckout(db, accountId, request.params.id)),
})
