import { z } from 'zod'
import { accountDb } from '../../../db/account-scope.ts'
import { previewStanding } from '../../../standing/preview.ts'
import { readStanding } from '../../../standing/standing-order.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { calendarDay } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { previewExample, StandingPreview } from './preview-schemas.ts'
import { StandingPath } from './standing-schemas.ts'

export default operation({
  id: 'previewStandingOrder',
  method: 'GET',
  path: '/api/standing-orders/:id/preview',
  tag: 'Standing orders',
  summary: 'What a standing order would have found',
  description:
    'Of the last 30 days, by the day on which records were registered: matches, how they can be reached, what they would have cost, and ' +
    'what the budgets would have left out; with `day` the records of that day. Uses one unit of the screener limit.',
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  limit: 'screener',
  errors: ['QUERY_SYNTAX', 'UNPROCESSABLE', ...expensiveErrors],
  params: StandingPath,
  query: z.object({ day: calendarDay.optional().describe('Whose records are shown') }),
  reply: { 200: StandingPreview },
  example: previewExample,
  handle:
    ({ db, expensiveReads }) =>
    async (request) => {
      const { accountId, isEnterprise } = principalOf(request)
      const order = await readStanding(db, accountId, request.params.id)
      addReadings(request, { reason: `standing order ${order.standingOrderId}` })
      // Its grants and its watchlist decide what it finds, and lie behind the account's wall.
      const found = await expensiveReads.run(request, (expensiveDb, timeoutMs) =>
        previewStanding(accountDb(expensiveDb), order, { isEnterprise, day: request.query.day, timeoutMs }),
      )
      return { days: [...found.days], rows: [...found.rows] }
    },
})
