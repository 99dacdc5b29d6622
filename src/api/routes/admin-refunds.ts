/** POST /admin/payments/refund: money that an operator gives back through the payment processor. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { issueRefund } from '../../orders/payments/issue-refund.ts'
import { exampleIds } from '../example-records.ts'
import { operatorOf } from '../hooks/operator.ts'
import { plainText, reasonText, referenceText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const RefundBody = z
  .strictObject({
    of: plainText(100)
      .min(1)
      .describe('Payment of the processor, or an order or purchase that one payment was made for'),
    amount: z.int().min(1).max(1_000_000_000).optional().describe('Paise; what is left of the payment unless told'),
    reference: referenceText('Under one reference money goes back once'),
    reason: reasonText('Why; it stands in the trail'),
  })
  .meta({
    examples: [{ of: exampleIds.order, amount: 59_000, reference: 'ticket-7', reason: 'asked for by the buyer' }],
  })
const Refund = z
  .object({
    request_id: z.string().describe("The processor's idempotency key"),
    payment_id: z.string(),
    amount: z.number().describe('Paise, tax included'),
    status: z
      .enum(['asked', 'made', 'refused'])
      .describe('asked: under way, or the processor was not reached; it is asked again'),
    refund_id: z.string().nullable().describe('Of the processor'),
    detail: z.string().nullable().describe('Why it was refused'),
  })
  .meta({ id: 'PaymentRefund' })

export const adminRefundRoutes: Routes = async (app, { db, queue, settings }) => {
  app.post(
    '/admin/payments/refund',
    {
      config: {
        errors: [
          'NOT_FOUND',
          'CONFLICT',
          'PAYMENT_UNAVAILABLE',
          'PAYMENT_KEY_REFUSED',
          'PAYMENT_LIMITED',
          'PAYMENT_REFUSED',
        ],
      },
      schema: {
        operationId: 'refundPayment',
        ...admin,
        summary: 'Give money back through the payment processor',
        description:
          'What was bought goes back in proportion, with a credit note. A request whose processor was not reached is asked ' +
          'again by itself; under one reference money goes back once.',
        body: RefundBody,
        response: { 200: Refund },
      },
    },
    async (request) => {
      const { payments: processor } = settings
      if (!processor) throw new AppError('BAD_REQUEST', 'No online payment processor is configured.')
      return issueRefund({ db, queue, processor }, { ...request.body, actor: operatorOf(request) })
    },
  )
}
