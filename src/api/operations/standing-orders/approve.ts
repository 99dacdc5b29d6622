import { decideRun } from '../../../standing/runs.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { DecideBody } from './decide-body.ts'
import { presentRun, runExample, StandingPath, StandingRunAnswer } from './standing-schemas.ts'

export default operation({
  id: 'approveStandingRun',
  method: 'POST',
  path: '/api/standing-orders/:id/approve',
  tag: 'Standing orders',
  summary: 'Approve a waiting run of a standing order',
  description: 'The first run of a standing order always waits, as does one that finds far more than usual.',
  caller: { scopes: ['order'] },
  audit: 'act',
  ofBudget: true,
  errors: ['CONFLICT'],
  params: StandingPath,
  body: DecideBody,
  reply: { 200: StandingRunAnswer },
  example: { ...runExample, state: 'open', decided_by: 'you' },
  handle: async ({ db }, request) => {
    const { accountId } = principalOf(request)
    const decision = { approve: true, runId: request.body?.run_id, actor: `account:${accountId}` } as const
    return presentRun(await db.transaction((tx) => decideRun(tx, accountId, request.params.id, decision)))
  },
})
