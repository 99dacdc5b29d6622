import { z } from 'zod'
import { readCompanyLinks } from '../../../registry/history/company-links.ts'
import { companyIdFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import { shownMembers } from '../details/shown-members.ts'
import example from './company.example.json' with { type: 'json' }
import { cin, description, HistoryReply, historyFacts, PageQuery, readPage } from './history-schemas.ts'

const CompanyHistoryReply = HistoryReply.extend({
  previous_cins: z.array(z.string()).readonly().describe('Earlier identifiers of the company, where a source has them'),
  succeeded_by: z.array(z.string()).readonly().describe('Companies that list this identifier as an earlier one'),
})

export default operation({
  id: 'getCompanyHistory',
  ...historyFacts,
  path: '/api/company/history',
  summary: 'History of one company or LLP',
  description,
  query: z.object({ cin, ...PageQuery.shape }),
  reply: { 200: CompanyHistoryReply },
  example,
  handle: async ({ db, settings }, request, principal) => {
    const { query, limitState } = request
    const identifier = companyIdFrom(query.cin)
    const history = await readPage(db, { entity: 'company', identifier }, query, limitState)
    const data = shownMembers(principal, settings).history(history.data)
    return { ...history, data, ...(await readCompanyLinks(db, identifier)) }
  },
})
