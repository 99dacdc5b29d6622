import { pauseStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { presentStanding, StandingAnswer, StandingPath, StopBody, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'pauseStandingOrder',
  method: 'POST',
  path: '/api/standing-orders/:id/pause',
  tag: 'Standing orders',
  summary: 'Pause a standing order',
  description: 'Once this returns, it spends no credit; what it found and has not bought is not bought later.',
  caller: { scopes: ['order'] },
  audit: 'act',
  ofBudget: true,
  errors: ['CONFLICT'],
  params: StandingPath,
  body: StopBody,
  reply: { 200: StandingAnswer },
  example: { ...standingExample, state: 'paused' },
  handle: async ({ db }, request) => {
    const { accountId } = principalOf(request)
    const by = { actor: `account:${accountId}`, reason: request.body?.reason } as const
    return presentStanding(await db.transaction((tx) => pauseStanding(tx, accountId, request.params.id, by)))
  },
})
