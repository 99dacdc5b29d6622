import { z } from 'zod'
import { orderTerms } from '../../../../config/plans.ts'
import { decideReports } from '../../../orders/decide-reports.ts'
import { reporters } from '../../../orders/states.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText, reasonText } from '../../parameters.ts'

const DecideManyBody = z
  .strictObject({
    user_id: idText('Reports of this account').optional(),
    order_id: idText('Reports of this order').optional(),
    reported_by: z.enum(reporters).optional().describe('Only reports by buyers, or only rejects above the threshold'),
    decision: z.enum(['accept', 'reject']).describe('accept refunds the credits'),
    reason: reasonText('Reason; visible to the buyer'),
  })
  .refine(({ user_id, order_id }) => (user_id ?? order_id) !== undefined, 'name a user_id or an order_id')
  .meta({
    examples: [
      {
        user_id: exampleIds.account,
        reported_by: 'system',
        decision: 'reject',
        reason: 'the rows were read in the CRM',
      },
    ],
  })

const { decidedMax } = orderTerms.disputes

export default operation({
  id: 'decideDisputes',
  method: 'POST',
  path: '/admin/disputes/decide',
  summary: 'Decide the open reports of an account or an order',
  description: `All at once, at most ${decidedMax}: \`left\` says how many are still open. Where none is open, nothing happens. Accepting refunds the credits.`,
  caller: { role: 'operator' },
  audit: 'act',
  body: DecideManyBody,
  reply: {
    200: z
      .object({
        decided: z.number(),
        credits: z.number().describe('Credits that were refunded'),
        left: z.number().describe('Reports of the same selection that are still open'),
      })
      .meta({ id: 'DecidedDisputes' }),
  },
  example: { decided: 12, credits: 0, left: 0 },
  handle: ({ db }, request, actor) => {
    const { user_id: accountId, order_id: orderId, reported_by: reportedBy, decision, reason } = request.body
    const choice = { accountId, orderId, reportedBy }
    return db.transaction((tx) => decideReports(tx, { ...choice, accept: decision === 'accept', note: reason, actor }))
  },
})
