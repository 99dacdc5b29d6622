import { z } from 'zod'
import { listStanding } from '../../../standing/standing-order.ts'
import { operation } from '../../operation.ts'
import { paging } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { presentStanding, StandingAnswer, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'listStandingOrders',
  method: 'GET',
  path: '/api/standing-orders',
  tag: 'Standing orders',
  summary: 'Your standing orders, the newest first',
  description: 'Each with its budget and what it has spent of it.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object(paging(100)),
  reply: { 200: z.object({ data: z.array(StandingAnswer), total: z.number(), page: z.number(), limit: z.number() }) },
  example: { data: [standingExample], total: 1, page: 1, limit: 20 },
  handle:
    ({ db }) =>
    async (request) => {
      const { orders, total } = await listStanding(db, principalOf(request).accountId, request.query)
      return { data: orders.map(presentStanding), total, page: request.query.page, limit: request.query.limit }
    },
})
