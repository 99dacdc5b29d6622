/** Plans and offers on sale, and buying them, online or with credits. */
import { z } from 'zod'
import { featureDatasets, offers, plans } from '../../../config/sales.ts'
import { splitTax } from '../../orders/payments/tax.ts'
import { productOf } from '../../orders/subscriptions/products.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { buyAndAnswer, buyingErrors } from './buying.ts'
import { Bought, BuyBody, examplePlan, OfferOnSale, Plan } from './subscription-schemas.ts'

const paisePerRupee = 100
const pricedOffer = offers.find(({ price }) => price > 0)?.id ?? ''

export const planRoutes: Routes = async (app, context) => {
  app.get(
    '/api/plans',
    {
      schema: {
        operationId: 'listPlans',
        tags: ['Account'],
        summary: 'Plans on sale',
        description: 'Plans, and the offers beside them: what they cost, GST included, and what they bring.',
        response: { 200: z.object({ data: z.array(Plan), offers: z.array(OfferOnSale) }) },
      },
    },
    async () => ({
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
  )

  app.post(
    '/api/plans/:id/buy',
    {
      config: { idempotent: 'with-effect', scopes: ['order'], errors: [...buyingErrors] },
      schema: {
        operationId: 'buyPlan',
        tags: ['Account'],
        summary: 'Buy a plan, or a further term of it',
        description:
          'With credits it begins at once; online with the payment. Bought while it lives it is renewed: the new term begins ' +
          'where the last one ends, and a cancellation is taken back.',
        params: z.object({
          id: z
            .string()
            .max(200)
            .meta({ description: 'Id of the plan', examples: [examplePlan] }),
        }),
        body: BuyBody,
        response: { 201: Bought },
      },
    },
    async (request, reply) => {
      const product = productOf('plan', request.params.id, request.body.auto_renew)
      return reply.code(201).send(await buyAndAnswer(context, request, principalOf(request).accountId, product))
    },
  )

  app.post(
    '/api/offers/:id/buy',
    {
      config: { idempotent: 'with-effect', scopes: ['order'], errors: [...buyingErrors] },
      schema: {
        operationId: 'buyOffer',
        tags: ['Account'],
        summary: 'Buy a priced offer, or more days of it',
        description:
          'Opens its feeds for its days, with credits at once, online with the payment. A free offer is activated.',
        params: z.object({
          id: z
            .string()
            .max(200)
            .meta({ description: 'Id of the offer', examples: [pricedOffer] }),
        }),
        body: BuyBody,
        response: { 201: Bought },
      },
    },
    async (request, reply) => {
      const product = productOf('offer', request.params.id, request.body.auto_renew)
      return reply.code(201).send(await buyAndAnswer(context, request, principalOf(request).accountId, product))
    },
  )
}
