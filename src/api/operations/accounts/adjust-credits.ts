import { z } from 'zod'
import { getAccount } from '../../../access/accounts.ts'
import { endOfIndianDay } from '../../../domain/iso-date.ts'
import { adjustCredits } from '../../../orders/adjust-credits.ts'
import { creditTypes } from '../../../orders/ledger.ts'
import { operation } from '../../operation.ts'
import { calendarDay, reasonText, referenceText } from '../../parameters.ts'
import { UserPath } from './account-schemas.ts'

const AdjustBody = z
  .strictObject({
    credits: z.number().int().min(-1_000_000_000).max(1_000_000_000).describe('Negative to deduct'),
    reference: referenceText('Idempotency reference: credits move once per reference'),
    reason: reasonText('Reason; visible to the account'),
    type: z
      .enum(creditTypes)
      .optional()
      .describe(
        'Kind of credits; `granted` by default. Purchased credits come with a payment and can only be deducted here',
      ),
    expires: calendarDay.optional().describe('Last day on which they can be spent, in India'),
  })
  .refine(({ credits }) => credits !== 0, { error: 'must not be 0', path: ['credits'] })
  .refine(({ credits, type }) => credits < 0 || type !== 'purchased', {
    error: 'purchased credits come with their payment and can only be deducted here: add granted ones',
    path: ['type'],
  })
  .meta({ examples: [{ credits: 50, reference: 'invoice-2026-17', reason: 'Diwali offer', type: 'granted' }] })
const Adjusted = z
  .object({
    applied: z.boolean().describe('false where this reference was already applied'),
    credit_balance: z.number(),
  })
  .meta({ id: 'AdjustedCredits' })

export default operation({
  id: 'adjustCredits',
  method: 'POST',
  path: '/admin/users/:id/credits',
  summary: 'Add or deduct credits of an account',
  description: 'Once per reference. The ledger records who did it and why.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['INSUFFICIENT_CREDITS', 'CONFLICT', 'UNPROCESSABLE'],
  params: UserPath,
  body: AdjustBody,
  reply: { 200: Adjusted },
  example: {
    applied: true,
    credit_balance: 50,
  },
  handle: async ({ db }, request, actor) => {
    const { credits, reference, reason, type, expires } = request.body
    const moved = await db.transaction(async (tx) => {
      const { accountId } = await getAccount(tx, request.params.id)
      const endsAt = expires === undefined ? null : endOfIndianDay(expires)
      return adjustCredits(tx, accountId, { credits, reference, reason, type, endsAt, actor })
    })
    return { applied: moved.applied, credit_balance: moved.balance }
  },
})
