/** A refund that an operator requested, in answers. */
import { z } from 'zod'
import { timestamp, uuid } from '../../formats.ts'

const shape = {
  request_id: z.string().describe("The processor's idempotency key"),
  payment_id: z.string(),
  amount: z.number().describe('Paise, tax included'),
  status: z
    .enum(['asked', 'made', 'refused'])
    .describe('asked: in progress, or the processor could not be reached and will be asked again'),
  refund_id: z.string().nullable().describe('ID at the processor'),
  detail: z.string().nullable().describe('Why it was refused, or is still in progress'),
  takes_back: z
    .array(z.object({ order_id: uuid('_id of the order'), index: z.number() }).readonly())
    .readonly()
    .nullable()
    .describe(
      'Rows returned with a partial refund: those that were named, and, where too few credits were left, those that were only held, newest ' +
        'first. null: all of the money was refunded, and everything that it paid for is returned',
    ),
}
export const PaymentRefund = z.object(shape).meta({ id: 'PaymentRefund' })

export const ListedRefund = z
  .object({
    ...shape,
    reference: z.string(),
    reason: z.string(),
    actor: z.string().describe('Who requested it'),
    asked_at: timestamp(),
    answered_at: timestamp('at which it was made or refused; null while it is in progress').nullable(),
  })
  .meta({ id: 'RequestedRefund' })
