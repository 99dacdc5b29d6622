import { z } from 'zod'
import { decideDispute } from '../../../orders/disputes.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { reasonText } from '../../parameters.ts'
import { AnyDispute, operatorDispute } from '../orders/operator-schemas.ts'
import example from './decide.example.json' with { type: 'json' }

const DecideBody = z
  .strictObject({
    decision: z.enum(['accept', 'reject']).describe('accept refunds the credit'),
    reason: reasonText('Reason; visible to the buyer'),
  })
  .meta({ examples: [{ decision: 'accept', reason: 'confirmed by a call' }] })

export default operation({
  id: 'decideDispute',
  method: 'POST',
  path: '/admin/disputes/:id/decide',
  summary: 'Decide a report',
  description: 'Can be done once. Accepting refunds the credit.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: z.object({ id: uuid('dispute_id of the report').meta({ examples: [exampleIds.order] }) }),
  body: DecideBody,
  reply: { 200: AnyDispute },
  example,
  handle: async ({ db }, request, actor) => {
    const { decision, reason } = request.body
    const decided = { accept: decision === 'accept', note: reason, actor }
    return operatorDispute(
      await db.transaction((tx) => decideDispute(tx, { disputeId: request.params.id, ...decided })),
    )
  },
})
