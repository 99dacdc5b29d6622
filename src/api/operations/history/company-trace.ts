import { z } from 'zod'
import { companyIdFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import { shownMembers } from '../details/shown-members.ts'
import example from './company-trace.example.json' with { type: 'json' }
import { cin, historyFacts, TraceReply, traceDescription, traceRecord } from './history-schemas.ts'

export default operation({
  id: 'getCompanyTrace',
  ...historyFacts,
  path: '/api/company/trace',
  summary: 'Where each field of a company or LLP comes from',
  description: traceDescription,
  query: z.object({ cin }),
  reply: { 200: TraceReply },
  example,
  handle: async ({ db, settings }, request, principal) => {
    const { query, limitState } = request
    const { data, ...rest } = await traceRecord(db, 'company', companyIdFrom(query.cin), limitState)
    return { data: shownMembers(principal, settings).trace(data), ...rest }
  },
})
