import { z } from 'zod'
import { audit } from '../../../audit/audit.ts'
import { AppError } from '../../../errors.ts'
import { queues } from '../../../queue/queues.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

export default operation({
  id: 'reconcilePayments',
  method: 'POST',
  path: '/admin/payments/reconcile',
  summary: 'Reconcile with the payment processor',
  description:
    'A worker asks the processor about every pending order, and about refunds: paid orders are settled, unpaid ones expire in time. This also runs automatically every few minutes.',
  caller: { role: 'operator' },
  audit: 'act',
  body: noBody,
  reply: { 202: z.object({ asked: z.literal(true) }) },
  example: {
    asked: true,
  },
  handle: async ({ db, queue, settings }, _request, actor) => {
    if (!settings.payments) throw new AppError('BAD_REQUEST', 'No online payment processor is configured.')
    await db.transaction(async (tx) => {
      await audit(tx, { actor, action: 'reconcile payments', subject: 'payments', detail: {} })
      await queue.send(tx, queues.reconcilePayments, {})
    })
    return { asked: true as const }
  },
})
