import { z } from 'zod'
import { listRuns, standingRunSorts } from '../../../standing/runs.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, sorting } from '../../parameters.ts'
import { presentRun, runExample, StandingPath, StandingRunAnswer } from './standing-schemas.ts'

export default operation({
  id: 'listStandingRuns',
  method: 'GET',
  path: '/api/standing-orders/:id/runs',
  summary: 'List the runs of a standing order',
  description:
    'What each found and bought, and which one waits for approval, with a sample; newest first unless sorted.',
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  params: StandingPath,
  query: z.object({ ...sorting(standingRunSorts), ...paging(100) }),
  reply: { 200: pageOf(StandingRunAnswer) },
  example: { data: [runExample], total: 1, page: 1, limit: 20 },
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { runs, total } = await listRuns(db, accountId, request.params.id, request.query)
    return { data: runs.map(presentRun), total, page, limit }
  },
})
