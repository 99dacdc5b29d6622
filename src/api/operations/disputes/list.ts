import { z } from 'zod'
import { disputeSorts, listDisputes } from '../../../orders/disputes.ts'
import { disputeStates, reporters } from '../../../orders/states.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText, pageOf, paging, sorting } from '../../parameters.ts'
import { AnyDispute, operatorDispute } from '../orders/operator-schemas.ts'
import example from './list.example.json' with { type: 'json' }

export default operation({
  id: 'listDisputes',
  method: 'GET',
  path: '/admin/disputes',
  summary: 'List reported contacts',
  description: 'With what the buyer said and what was decided. The longest waiting first unless sorted.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  query: z.object({
    user_id: idText('Only reports of this account')
      .meta({ examples: [exampleIds.account] })
      .optional(),
    status: z.enum(disputeStates).optional().describe('Only those in this state'),
    reported_by: z.enum(reporters).optional().describe('Only reports by buyers, or only rejects above the threshold'),
    ...sorting(disputeSorts),
    ...paging(100),
  }),
  reply: { 200: pageOf(AnyDispute) },
  example,
  handle: async ({ db }, { query }) => {
    const { reported_by: reportedBy, user_id: accountId, ...filter } = query
    const { disputes, total } = await listDisputes(db, { ...filter, reportedBy, accountId })
    return { data: disputes.map(operatorDispute), total, page: query.page, limit: query.limit }
  },
})
