import { checkDraft } from '../../../standing/draft.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { calendarDay } from '../../parameters.ts'
import { answerPreview } from './preview-answer.ts'
import { previewExample, StandingPreview } from './preview-schemas.ts'
import { draftExample, draftOf, StandingDraft } from './standing-schemas.ts'

export default operation({
  id: 'previewStandingDraft',
  method: 'POST',
  path: '/api/standing-orders/preview',
  summary: 'Preview a standing order that is not saved',
  description:
    'Like the preview of a saved one, with the members for creating one. Nothing is saved. Uses ' +
    'one unit of the screener limit.',
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  limit: 'screener',
  errors: ['QUERY_SYNTAX', 'NOT_FOUND', 'UNPROCESSABLE', ...expensiveErrors],
  body: StandingDraft.omit({ state: true })
    .extend({ day: calendarDay.optional().describe('Day whose records are shown') })
    .meta({ examples: [draftExample] }),
  reply: { 200: StandingPreview },
  example: previewExample,
  handle: async (context, request, { accountId }) => {
    const { day, ...draft } = request.body
    const checked = await checkDraft(context.db, accountId, draftOf(draft))
    addReadings(request, { reason: 'a standing order that is being written' })
    return answerPreview(context, request, { ...checked, accountId }, day)
  },
})
