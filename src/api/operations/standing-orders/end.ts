import { endStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { presentStanding, StandingAnswer, StandingPath, StopBody, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'endStandingOrder',
  method: 'POST',
  path: '/api/standing-orders/:id/end',
  tag: 'Standing orders',
  summary: 'End a standing order',
  description: 'Permanent. What it bought is kept.',
  caller: { scopes: ['order'] },
  audit: 'act',
  ofBudget: true,
  errors: ['CONFLICT'],
  destructive: true,
  params: StandingPath,
  body: StopBody,
  reply: { 200: StandingAnswer },
  example: { ...standingExample, state: 'ended' },
  handle: async ({ db }, request) => {
    const { accountId } = principalOf(request)
    const by = { actor: `account:${accountId}`, reason: request.body?.reason } as const
    return presentStanding(await db.transaction((tx) => endStanding(tx, accountId, request.params.id, by)))
  },
})
