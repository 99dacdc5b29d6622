import { standingNotice } from '../../../standing/notice.ts'
import { readStanding } from '../../../standing/standing-order.ts'
import { operation } from '../../operation.ts'
import { presentStanding, StandingDetail, StandingPath, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'getStandingOrder',
  method: 'GET',
  path: '/api/standing-orders/:id',
  summary: 'Get a standing order',
  description:
    'Its query, budget and state, what it has spent, and why it finds nothing where no plan covers new registrations.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: StandingPath,
  reply: { 200: StandingDetail },
  example: { ...standingExample, notice: null },
  handle: async ({ db }, request, { accountId, isEnterprise }) => {
    const order = await readStanding(db, accountId, request.params.id)
    return { ...presentStanding(order), notice: await standingNotice(db, order, { accountId, isEnterprise }) }
  },
})
