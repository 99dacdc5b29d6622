/** What pausing, resuming and ending a standing order have in common. */
import { z } from 'zod'
import type { endStanding, pauseStanding, resumeStanding } from '../../../standing/switch.ts'
import type { Asked } from '../../operation.ts'
import { wording } from '../../parameters.ts'
import type { Principal } from '../../route-context.ts'
import type { ServerContext } from '../../server-context.ts'
import { presentStanding, StandingAnswer, StandingPath } from './standing-schemas.ts'

const StopBody = z
  .strictObject({ reason: wording(500).optional().describe('Note for later readers') })
  .nullish()
  .meta({ examples: [{ reason: 'stock-taking' }] })

export const switching = (change: typeof pauseStanding | typeof resumeStanding | typeof endStanding) => ({
  method: 'POST' as const,
  caller: { scopes: ['order'] } as const,
  audit: 'act' as const,
  ofBudget: true,
  params: StandingPath,
  body: StopBody,
  reply: { 200: StandingAnswer },
  handle: async (
    { db }: ServerContext,
    request: Asked<typeof StandingPath, typeof StopBody>,
    { accountId }: Principal,
  ) => {
    const by = { actor: `account:${accountId}`, reason: request.body?.reason } as const
    return presentStanding(await db.transaction((tx) => change(tx, accountId, request.params.id, by)))
  },
})
