import { z } from 'zod'
import { pauseAllStanding } from '../../../standing/switch.ts'
import { operation } from '../../operation.ts'
import { wording } from '../../parameters.ts'

export const PauseAllBody = z
  .strictObject({
    state: z.literal('paused').describe('Pauses all of them'),
    reason: wording(500).optional().describe('Note for later readers'),
  })
  .meta({ examples: [{ state: 'paused', reason: 'stock-taking' }] })

export const PausedAll = z.object({ paused: z.number().describe('Standing orders that this call paused') })

export default operation({
  id: 'pauseStandingOrders',
  method: 'PATCH',
  path: '/api/standing-orders',
  summary: 'Pause all of your standing orders',
  description: 'Once this returns, none of them spends a credit. Each must be resumed separately.',
  caller: { scopes: ['order'] },
  audit: 'act',
  body: PauseAllBody,
  reply: { 200: PausedAll },
  example: { paused: 3 },
  handle: async ({ db }, request, { accountId }) => {
    const by = { actor: `account:${accountId}`, reason: request.body.reason } as const
    return { paused: await db.transaction((tx) => pauseAllStanding(tx, accountId, by)) }
  },
})
