import { pauseAllStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { PauseAllBody, PausedAll } from './pause-all.ts'

export default operation({
  id: 'pauseAllStandingOrders',
  method: 'PATCH',
  path: '/admin/standing-orders',
  summary: 'Pause the standing orders of all accounts',
  description: 'Once this returns, none of them spends a credit. Only an operator can resume what an operator paused.',
  caller: { role: 'operator' },
  audit: 'act',
  body: PauseAllBody,
  reply: { 200: PausedAll },
  example: { paused: 42 },
  handle: async ({ db }, request, actor) => {
    const by = { actor, reason: request.body.reason }
    return { paused: await db.transaction((tx) => pauseAllStanding(tx, null, by)) }
  },
})
