import { z } from 'zod'
import { recentMatches } from '../../../standing/recent-matches.ts'
import { listStanding, standingSorts } from '../../../standing/standing-order.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, sorting } from '../../parameters.ts'
import { listedExample, presentStanding, StandingListed } from './standing-schemas.ts'

export default operation({
  id: 'listStandingOrders',
  method: 'GET',
  path: '/api/standing-orders',
  summary: 'List your standing orders',
  description:
    'Each with its budget, what it has spent, and what it found on each of the last 30 days; newest first unless sorted.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({ ...sorting(standingSorts), ...paging(100) }),
  reply: { 200: pageOf(StandingListed) },
  example: { data: [listedExample], total: 1, page: 1, limit: 20 },
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit, sort } = request.query
    const { orders, total } = await listStanding(db, accountId, { page, limit, sort })
    const ids = orders.map(({ standingOrderId }) => standingOrderId)
    const found = await recentMatches(db, ids)
    const data = orders.map((order) => ({
      ...presentStanding(order),
      matches_by_day: found.get(order.standingOrderId) ?? [],
    }))
    return { data, total, page, limit }
  },
})
