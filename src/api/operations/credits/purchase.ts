import { z } from 'zod'
import { creditPacks } from '../../../../config/sales.ts'
import { buyCredits } from '../../../orders/buy-credits.ts'
import { billing, billingToKeep } from '../../billing-schema.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { Purchase, shownPurchase } from '../subscriptions/subscription-schemas.ts'
import example from './purchase.example.json' with { type: 'json' }

const PurchaseBody = z
  .strictObject({
    pack_id: z.string().max(100).describe('ID of a credit pack'),
    billing,
  })
  .meta({
    examples: [
      {
        pack_id: creditPacks[0].id,
        billing: { legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' },
      },
    ],
  })

export default operation({
  id: 'purchaseCredits',
  method: 'POST',
  path: '/api/credits/purchase',
  summary: 'Buy a pack of credits online',
  description: 'The credits arrive with the payment. Without a configured processor the call fails and says why.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'QUOTA_EXCEEDED',
    'PAYMENT_UNAVAILABLE',
    'PAYMENT_KEY_REFUSED',
    'PAYMENT_LIMITED',
    'PAYMENT_REFUSED',
    'SELLER_MISSING',
    'UNPROCESSABLE',
  ],
  idempotent: 'with-effect',
  body: PurchaseBody,
  reply: { 201: Purchase },
  example,
  handle: async ({ db, settings }, request, principal) => {
    const { pack_id: packId, billing } = request.body
    const keepBilling = billingToKeep(billing, principal)
    const body = await buyCredits(db, settings.payments, principal.accountId, packId, async (tx, made) => {
      await keepBilling(tx)
      const answer = shownPurchase(made)
      await keepAnswerOf(tx, request, 201, answer)
      return answer
    })
    return body
  },
})
