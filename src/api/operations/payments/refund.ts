import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { issueRefund } from '../../../orders/payments/issue-refund.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { plainText, reasonText, referenceText } from '../../parameters.ts'

const RefundBody = z
  .strictObject({
    of: plainText(100)
      .min(1)
      .describe('Payment of the processor, or an order or purchase that one payment was made for'),
    amount: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('Paise; unless told what the items cost, or what is left of the payment'),
    items: z
      .array(z.int().min(0))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Indexes, from 0, of the rows of the order that go back with the money'),
    reference: referenceText('Under one reference money goes back once'),
    reason: reasonText('Why; it stands in the audit log'),
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
    takes_back: z
      .array(z.object({ order_id: uuid('_id of the order'), index: z.number() }).readonly())
      .readonly()
      .nullable()
      .describe(
        'Rows whose credit goes back with a part of the money: those that were named, and those that were only held, the newest ' +
          'first, where too few credits were left. Null: all of the money went back, and everything that it paid for',
      ),
  })
  .meta({ id: 'PaymentRefund' })

export default operation({
  id: 'refundPayment',
  method: 'POST',
  path: '/admin/payments/refund',
  tag: 'Operations',
  summary: 'Give money back through the payment processor',
  description:
    'What was bought goes back in proportion, with a credit note; `items` says which rows of an order go. A request whose processor was not reached is asked ' +
    'again automatically; under one reference money goes back once.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PAYMENT_UNAVAILABLE', 'PAYMENT_KEY_REFUSED', 'PAYMENT_LIMITED', 'PAYMENT_REFUSED'],
  body: RefundBody,
  reply: { 200: Refund },
  example: {
    request_id: '9c1f6f0e-4a53-4f7e-a0f5-6a3c1a4b7d21',
    payment_id: 'pay_Q2m8Zk3hVfXw1b',
    amount: 59000,
    status: 'made',
    refund_id: 'rfnd_Q2mAqk3hVfXw1c',
    detail: null,
    takes_back: null,
  },
  handle:
    ({ db, queue, settings }) =>
    async (request) => {
      const { payments: processor } = settings
      if (!processor) throw new AppError('BAD_REQUEST', 'No online payment processor is configured.')
      return issueRefund({ db, queue, processor }, { ...request.body, actor: operatorOf(request) })
    },
})
