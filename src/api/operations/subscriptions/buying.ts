/** Buys a product and stores the answer for its idempotency key in the same transaction. */

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Tx } from '../../../db/db.ts'
import { AppError } from '../../../errors.ts'
import { buyTermOnline } from '../../../orders/buy-term.ts'
import { buyTermWithCredits } from '../../../orders/subscriptions/buy-term.ts'
import type { Product } from '../../../orders/subscriptions/products.ts'
import { openBeside, readSubscription } from '../../../orders/subscriptions/read-subscriptions.ts'
import { billingToKeep } from '../../billing-schema.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import type { Principal, RouteContext } from '../../route-context.ts'
import { type Bought, type BuyBody, shownPurchase, shownSubscription } from './subscription-schemas.ts'

export const buyingErrors = [
  ...(['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_CREDITS', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'] as const),
  ...(['PAYMENT_UNAVAILABLE', 'PAYMENT_KEY_REFUSED', 'PAYMENT_LIMITED', 'PAYMENT_REFUSED', 'SELLER_MISSING'] as const),
] as const

type Answer = z.output<typeof Bought>

export async function buyAndAnswer(
  { db, settings }: Pick<RouteContext, 'db' | 'settings'>,
  request: FastifyRequest & { readonly body: z.output<typeof BuyBody> },
  principal: Principal,
  product: Product,
): Promise<Answer> {
  const { accountId } = principal
  const { payment_option: option, auto_renew: autoRenew, billing } = request.body
  const kept = async (tx: Tx, bought: Omit<Answer, 'other_subscriptions'>): Promise<Answer> => {
    const others = await openBeside(tx, accountId, product.terms.id)
    const answer = { ...bought, other_subscriptions: others.map(shownSubscription) }
    await keepAnswerOf(tx, request, 201, answer)
    return answer
  }
  if (option === 'credits') {
    return db.transaction(async (tx) => {
      const id = await buyTermWithCredits(tx, accountId, product, { autoRenew })
      const subscription = shownSubscription(await readSubscription(tx, accountId, id))
      return kept(tx, { status: 'paid', subscription, purchase: null })
    })
  }
  if (option !== 'online' && option !== settings.onlineLabel) {
    throw new AppError('BAD_REQUEST', `payment_option must be credits or ${settings.onlineLabel}.`)
  }
  const keepBilling = billingToKeep(billing, principal)
  return buyTermOnline(db, settings.payments, accountId, product, async (tx, checkout) => {
    await keepBilling(tx)
    return kept(tx, { status: 'pending', subscription: null, purchase: shownPurchase(checkout) })
  })
}
