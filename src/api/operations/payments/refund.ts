import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { issueRefund } from '../../../orders/payments/issue-refund.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { plainText, reasonText, referenceText } from '../../parameters.ts'
import { PaymentRefund } from './refund-schemas.ts'

const RefundBody = z
  .strictObject({
    of: plainText(100).min(1).describe('Payment of the processor, or the order or purchase that it was made for'),
    amount: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('Paise; by default the price of the items, or what is left of the payment'),
    items: z
      .array(z.int().min(0))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Indexes, from 0, of the rows of the order that are returned with the money'),
    reference: referenceText('Idempotency reference: money is refunded once per reference'),
    reason: reasonText('Reason; recorded in the audit log'),
  })
  .meta({
    examples: [{ of: exampleIds.order, amount: 59_000, reference: 'ticket-7', reason: 'asked for by the buyer' }],
  })
export default operation({
  id: 'refundPayment',
  method: 'POST',
  path: '/admin/payments/refund',
  summary: 'Refund a payment through the payment processor',
  description:
    'What was bought is returned in proportion, with a credit note; `items` says which rows of an order. If the processor could not be reached, it is asked ' +
    'again automatically; money is refunded once per reference.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PAYMENT_UNAVAILABLE', 'PAYMENT_KEY_REFUSED', 'PAYMENT_LIMITED', 'PAYMENT_REFUSED'],
  body: RefundBody,
  reply: { 200: PaymentRefund },
  example: {
    request_id: '9c1f6f0e-4a53-4f7e-a0f5-6a3c1a4b7d21',
    payment_id: 'pay_Q2m8Zk3hVfXw1b',
    amount: 59000,
    status: 'made',
    refund_id: 'rfnd_Q2mAqk3hVfXw1c',
    detail: null,
    takes_back: null,
  },
  handle: async ({ db, queue, settings }, request, actor) => {
    const { payments: processor } = settings
    if (!processor) throw new AppError('BAD_REQUEST', 'No online payment processor is configured.')
    return issueRefund({ db, queue, processor }, { ...request.body, actor })
  },
})
