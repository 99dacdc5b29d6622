import { readStanding } from '../../../standing/standing-order.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { presentStanding, StandingAnswer, StandingPath, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'getStandingOrder',
  method: 'GET',
  path: '/api/standing-orders/:id',
  tag: 'Standing orders',
  summary: 'One standing order',
  description: 'Its query, budget and state, and what it has spent.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: StandingPath,
  reply: { 200: StandingAnswer },
  example: standingExample,
  handle:
    ({ db }) =>
    async (request) =>
      presentStanding(await readStanding(db, principalOf(request).accountId, request.params.id)),
})
