import { z } from 'zod'
import { orderTerms } from '../../../../config/plans.ts'
import { decideReports } from '../../../orders/decide-reports.ts'
import { reporters } from '../../../orders/states.ts'
import { exampleIds } from '../../example-records.ts'
import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { idText, reasonText } from '../../parameters.ts'

const DecideManyBody = z
  .strictObject({
    user_id: idText('Those of this account').optional(),
    order_id: idText('Those of this order').optional(),
    reported_by: z.enum(reporters).optional().describe('Only those of buyers, or of refusals above the share'),
    decision: z.enum(['accept', 'reject']).describe('accept brings the credits back'),
    reason: reasonText('For the buyer'),
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
  tag: 'Operations',
  summary: 'Decide reports of an account or an order that wait',
  description: `All of them in one act, at most ${decidedMax}: \`left\` says how many of them wait still. Where none waits, none is decided. Accepted ones bring their credits back.`,
  caller: { role: 'operator' },
  audit: 'act',
  body: DecideManyBody,
  reply: {
    200: z
      .object({
        decided: z.number(),
        credits: z.number().describe('That came back'),
        left: z.number().describe('Reports of the same choice that wait still'),
      })
      .meta({ id: 'DecidedDisputes' }),
  },
  example: { decided: 12, credits: 0, left: 0 },
  handle:
    ({ db }) =>
    (request) => {
      const { user_id: accountId, order_id: orderId, reported_by: reportedBy, decision, reason } = request.body
      const choice = { accountId, orderId, reportedBy }
      const actor = operatorOf(request)
      return db.transaction((tx) =>
        decideReports(tx, { ...choice, accept: decision === 'accept', note: reason, actor }),
      )
    },
})
