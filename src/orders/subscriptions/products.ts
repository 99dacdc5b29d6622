/** What can be bought for a time: the plans and priced offers of config/sales.ts, in one shape. */

import { z } from 'zod'
import type { PlanName } from '../../../config/plans.ts'
import { featureDatasets, offers, plans } from '../../../config/sales.ts'
import { entityTypes } from '../../domain/identity.ts'
import { AppError } from '../../errors.ts'

export type ProductKind = 'plan' | 'offer'

/** Stored with a pending purchase, so that buyers get what they were shown, whatever is on sale when they pay. */
export const ProductTerms = z.object({
  kind: z.enum(['plan', 'offer']),
  id: z.string(),
  name: z.string(),
  interval: z.string(),
  days: z.int(),
  graceDays: z.int(),
  limits: z.literal('premium' satisfies PlanName).nullable(),
  datasets: z.array(z.enum(entityTypes)).readonly(),
  anchored: z.boolean(),
  /** Credits included in a term. */
  credits: z.int(),
})
export type ProductTerms = z.infer<typeof ProductTerms>

export interface Product {
  /** Paise, tax included. */
  readonly amount: number
  readonly priceCredits: number | null
  readonly terms: ProductTerms
}

/** @throws AppError NOT_FOUND for a product that is not on sale, BAD_REQUEST for a free offer. */
export function productOf(kind: ProductKind, id: string): Product {
  return kind === 'plan' ? planOf(id) : offerOf(id)
}

function planOf(id: string): Product {
  const plan = plans.find((each) => each.id === id)
  if (!plan) throw new AppError('NOT_FOUND', 'There is no plan of this id on sale. See GET /api/plans.')
  const { amount, priceCredits, description: _description, ...terms } = plan
  return { amount, priceCredits, terms: { kind: 'plan', ...terms } }
}

function offerOf(id: string): Product {
  const offer = offers.find((each) => each.id === id)
  if (!offer) throw new AppError('NOT_FOUND', 'There is no offer of this id on sale. See GET /api/offers/available.')
  if (offer.price === 0) throw new AppError('BAD_REQUEST', 'This offer is free: activate it instead of buying it.')
  const { name, durationDays: days, features, priceCredits } = offer
  const known: Readonly<Record<string, (typeof entityTypes)[number]>> = featureDatasets
  const datasets = features.flatMap((feature) => known[feature] ?? [])
  const scope = { limits: null, datasets, anchored: false, credits: 0 }
  return {
    amount: Math.round(offer.price * 100),
    priceCredits,
    terms: { kind: 'offer', id, name, interval: 'once', days, graceDays: 0, ...scope },
  }
}
