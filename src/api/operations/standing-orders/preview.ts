import { z } from 'zod'
import { readStanding } from '../../../standing/standing-order.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { calendarDay } from '../../parameters.ts'
import { answerPreview } from './preview-answer.ts'
import { previewExample, StandingPreview } from './preview-schemas.ts'
import { StandingPath } from './standing-schemas.ts'

export default operation({
  id: 'previewStandingOrder',
  method: 'GET',
  path: '/api/standing-orders/:id/preview',
  summary: 'Preview a standing order',
  description:
    'For the last 30 days, by the day on which records were registered: matches, contact channels, what they would have cost, and ' +
    'what the budgets would have left out; with `day` the records of that day. Uses one unit of the screener limit.',
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  limit: 'screener',
  errors: ['QUERY_SYNTAX', 'UNPROCESSABLE', ...expensiveErrors],
  params: StandingPath,
  query: z.object({ day: calendarDay.optional().describe('Day whose records are shown') }),
  reply: { 200: StandingPreview },
  example: previewExample,
  handle: async (context, request, { accountId }) => {
    const order = await readStanding(context.db, accountId, request.params.id)
    addReadings(request, { reason: `standing order ${order.standingOrderId}` })
    return answerPreview(context, request, order, request.query.day)
  },
})
