import { z } from 'zod'
import { featureDatasets, offers, plans } from '../../../../config/sales.ts'
import { splitTax } from '../../../orders/tax.ts'
import { operation } from '../../operation.ts'
import { OfferOnSale, Plan } from '../subscriptions/subscription-schemas.ts'
import example from './list.example.json' with { type: 'json' }

const paisePerRupee = 100

export default operation({
  id: 'listPlans',
  method: 'GET',
  path: '/api/plans',
  summary: 'List plans on sale',
  description: 'Plans and offers: what they cost, GST included, and what they include.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Plan), offers: z.array(OfferOnSale) }) },
  example,
  handle: async () => ({
    data: plans.map(({ id, name, description, amount, interval, days, limits, datasets, anchored, ...plan }) => ({
      ...{ id, name, description, amount, ...splitTax(amount), currency: 'INR' as const },
      ...{ price_credits: plan.priceCredits, interval, days, grace_days: plan.graceDays, limits },
      ...{ datasets, anchored, credits: plan.credits },
    })),
    offers: offers.map(({ id, name, description, price, durationDays, priceCredits, features }) => ({
      ...{ id, name, description, amount: price * paisePerRupee, ...splitTax(price * paisePerRupee) },
      ...{ currency: 'INR' as const, price_credits: priceCredits, days: durationDays },
      datasets: features.flatMap((feature) => (feature === 'API_ACCESS' ? [] : [featureDatasets[feature]])),
    })),
  }),
})
