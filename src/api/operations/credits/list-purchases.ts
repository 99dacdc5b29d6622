import { z } from 'zod'
import { checkoutStates, listCheckouts } from '../../../orders/checkouts.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging } from '../../parameters.ts'
import { examplePurchase, Purchase, shownPurchase } from '../subscriptions/subscription-schemas.ts'

export default operation({
  id: 'listCreditPurchases',
  method: 'GET',
  path: '/api/credits/purchases',
  summary: 'List your online purchases',
  description: 'Credits, plans and offers, newest first, including those that are waiting for their payment.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({
    status: z.enum(checkoutStates).optional().describe('Only purchases in this state'),
    ...paging(100),
  }),
  reply: { 200: pageOf(Purchase) },
  example: {
    data: [examplePurchase],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { checkouts, total } = await listCheckouts(db, accountId, request.query)
    return { data: checkouts.map(shownPurchase), total, page, limit }
  },
})
