/** What approving and skipping a waiting run have in common. */
import { z } from 'zod'
import { decideRun } from '../../../standing/runs.ts'
import type { Asked } from '../../operation.ts'
import type { Principal } from '../../route-context.ts'
import type { ServerContext } from '../../server-context.ts'
import { presentRun, StandingPath, StandingRunAnswer } from './standing-schemas.ts'

const DecideBody = z
  .strictObject({ run_id: z.int().min(1).optional().describe('By default the run that has waited longest') })
  .nullish()
  .meta({ examples: [{}] })

export const deciding = (approve: boolean) => ({
  method: 'POST' as const,
  caller: { scopes: ['order'] } as const,
  audit: 'act' as const,
  ofBudget: true,
  errors: ['CONFLICT'] as const,
  params: StandingPath,
  body: DecideBody,
  reply: { 200: StandingRunAnswer },
  handle: async (
    { db }: ServerContext,
    request: Asked<typeof StandingPath, typeof DecideBody>,
    { accountId }: Principal,
  ) => {
    const decision = { approve, runId: request.body?.run_id, actor: `account:${accountId}` } as const
    return presentRun(await db.transaction((tx) => decideRun(tx, accountId, request.params.id, decision)))
  },
})
