import { decideRun } from '../../../standing/runs.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { DecideBody } from './decide-body.ts'
import { presentRun, runExample, StandingPath, StandingRunAnswer } from './standing-schemas.ts'

export default operation({
  id: 'skipStandingRun',
  method: 'POST',
  path: '/api/standing-orders/:id/skip',
  tag: 'Standing orders',
  summary: 'Skip a waiting run and buy nothing',
  description: 'What it found is not found again.',
  caller: { scopes: ['order'] },
  audit: 'act',
  ofBudget: true,
  errors: ['CONFLICT'],
  params: StandingPath,
  body: DecideBody,
  reply: { 200: StandingRunAnswer },
  example: { ...runExample, state: 'skipped', decided_by: 'you' },
  handle: async ({ db }, request) => {
    const { accountId } = principalOf(request)
    const decision = { approve: false, runId: request.body?.run_id, actor: `account:${accountId}` } as const
    return presentRun(await db.transaction((tx) => decideRun(tx, accountId, request.params.id, decision)))
  },
})
