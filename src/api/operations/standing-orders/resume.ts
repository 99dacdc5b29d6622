import { resumeStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { presentStanding, StandingAnswer, StandingPath, StopBody, standingExample } from './standing-schemas.ts'

export default operation({
  id: 'resumeStandingOrder',
  method: 'POST',
  path: '/api/standing-orders/:id/resume',
  tag: 'Standing orders',
  summary: 'Activate or resume a standing order',
  description: 'A draft, or a paused one. It reacts to imports from now on.',
  caller: { scopes: ['order'] },
  audit: 'act',
  ofBudget: true,
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  params: StandingPath,
  body: StopBody,
  reply: { 200: StandingAnswer },
  example: { ...standingExample, state: 'active' },
  handle: async ({ db }, request) => {
    const { accountId } = principalOf(request)
    const by = { actor: `account:${accountId}`, reason: request.body?.reason } as const
    return presentStanding(await db.transaction((tx) => resumeStanding(tx, accountId, request.params.id, by)))
  },
})
