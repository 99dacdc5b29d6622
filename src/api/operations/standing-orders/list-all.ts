import { z } from 'zod'
import { listStanding, standingSorts } from '../../../standing/standing-order.ts'
import { exampleIds } from '../../example-records.ts'
import { email, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { idText, pageOf, paging, sorting } from '../../parameters.ts'
import { presentStanding, StandingAnswer, standingExample } from './standing-schemas.ts'

const Row = StandingAnswer.extend({
  user_id: uuid('ID of its account'),
  email: email('E-mail address of its account'),
}).meta({ id: 'StandingOrderOfAccount' })

export default operation({
  id: 'listAllStandingOrders',
  method: 'GET',
  path: '/admin/standing-orders',
  summary: 'List standing orders of all accounts',
  description: 'Or of one account; newest first unless sorted.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  query: z.object({
    user_id: idText('Only standing orders of this account')
      .optional()
      .meta({ examples: [exampleIds.account] }),
    ...sorting(standingSorts),
    ...paging(100),
  }),
  reply: { 200: pageOf(Row) },
  example: {
    data: [{ ...standingExample, user_id: '216e4b5d-0921-401e-a1cf-0b39a70e0a21', email: 'sales@example.in' }],
    ...{ total: 1, page: 1, limit: 20 },
  },
  handle: async ({ db }, request) => {
    const { page, limit, sort, user_id } = request.query
    const { orders, total } = await listStanding(db, user_id ?? null, { page, limit, sort })
    const data = orders.map((each) => ({ ...presentStanding(each), user_id: each.accountId, email: each.email }))
    return { data, total, page, limit }
  },
})
