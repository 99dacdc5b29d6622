/** Plans, purchases and subscriptions as the API represents them. */

import { z } from 'zod'
import { plans } from '../../../../config/sales.ts'
import { counted } from '../../../domain/counted.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { type Checkout, checkoutStates } from '../../../orders/checkouts.ts'
import { type Subscription as Held, subscriptionStates } from '../../../orders/subscriptions/read-subscriptions.ts'
import { billing } from '../../billing-schema.ts'
import { paise, timestamp, uuid } from '../../formats.ts'
import { Payment, paymentOf } from '../orders/order-schemas.ts'

export const Purchase = z
  .object({
    purchase_id: uuid('ID of the purchase'),
    kind: z.enum(['credits', 'plan', 'offer']),
    pack_id: z.string().describe('ID of the pack, plan or offer'),
    name: z.string().describe('Name of the plan or offer when it was bought, or the number of credits'),
    credits: z.number().describe('Credits that it includes'),
    amount: paise('Price, tax included'),
    status: z.enum(checkoutStates),
    created_at: timestamp(),
    paid_at: timestamp().nullable(),
    payment: Payment.nullable().describe("What the processor's checkout page needs"),
  })
  .meta({ id: 'CreditPurchase' })

export const shownPurchase = (checkout: Checkout): z.output<typeof Purchase> => ({
  purchase_id: checkout.checkoutId,
  kind: checkout.kind,
  pack_id: checkout.product,
  name: checkout.name ?? counted(checkout.credits, 'credit'),
  credits: checkout.credits,
  amount: checkout.amount,
  status: checkout.status,
  created_at: checkout.createdAt.toISOString(),
  paid_at: checkout.paidAt?.toISOString() ?? null,
  payment: checkout.payment && paymentOf(checkout.payment, checkout.status),
})

export const Plan = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    amount: paise('Online price, tax included'),
    net: paise('Online price without tax'),
    tax: paise('GST included in the price'),
    currency: z.literal('INR'),
    price_credits: z.number().nullable().describe('Price in credits; null: can only be bought with money'),
    interval: z.enum(['month', 'year']),
    days: z.number().describe('Length of one term'),
    grace_days: z.number().describe('After the last term, unless it was cancelled'),
    limits: z.string().nullable().describe('Plan whose daily limits and quotas apply; null: your own'),
    datasets: z.array(z.enum(entityTypes)).readonly().describe('Feeds that it opens'),
    anchored: z.boolean().describe('The feeds start with the day on which the subscription started'),
    credits: z.number().describe('Credits that each term includes, which expire with it'),
  })
  .meta({ id: 'PlanOnSale' })

export const OfferOnSale = Plan.pick({
  ...{ id: true, name: true, description: true, amount: true, net: true, tax: true, currency: true },
  ...{ price_credits: true, days: true, datasets: true },
}).meta({ id: 'OfferOnSale' })

export const BuyBody = z
  .strictObject({
    payment_option: z
      .string()
      .max(60)
      .describe('`credits`, or the label of online payment where a processor is configured'),
    auto_renew: z
      .boolean()
      .optional()
      .describe(
        "Whether it renews with credits, a day before its end, at that day's price, until it is cancelled. If left out, it keeps its value, and " +
          'is false for a first purchase; no effect on online purchases',
      ),
    billing,
  })
  .meta({ examples: [{ payment_option: 'credits' }] })

const paidWith = z.enum(['online', 'credits', 'operator'])

export const Subscription = z
  .object({
    subscription_id: uuid('ID of the subscription'),
    kind: z.enum(['plan', 'offer']),
    product: z.string().describe('ID of the plan or offer'),
    name: z.string().describe('Name of the current term when it was sold'),
    interval: z.string(),
    paid_with: paidWith,
    price: z.number().describe('Price of the current term: paise with tax where it was paid online, otherwise credits'),
    status: z
      .enum(subscriptionStates)
      .describe('cancelled: open to its end; grace: its last term is over, and everything stays open until open_until'),
    auto_renew: z.boolean().describe('Renews with credits, a day before its end'),
    started_at: timestamp(),
    ends_at: timestamp().describe('of the last term'),
    open_until: timestamp().describe('When its feeds and limits end: after the grace period, unless it was cancelled'),
    cancelled_at: timestamp().nullable(),
    terms: z
      .array(
        z
          .object({
            number: z.number(),
            name: z.string().describe('Name when it was sold'),
            interval: z.string(),
            paid_with: paidWith,
            price: z.number().describe('Paise with tax where it was paid online, otherwise credits'),
            credits: z.number().describe('Credits that it included'),
            starts_at: timestamp(),
            ends_at: timestamp(),
            taken_back_at: timestamp().nullable(),
          })
          .meta({ id: 'SubscriptionTerm' }),
      )
      .readonly(),
  })
  .meta({ id: 'Subscription' })

export const Bought = z
  .object({
    status: z.enum(['paid', 'pending']).describe('pending: starts with the payment'),
    subscription: Subscription.nullable(),
    purchase: Purchase.nullable().describe('Purchase that waits for its payment; see GET /api/credits/purchases/{id}'),
    other_subscriptions: z
      .array(Subscription)
      .describe(
        'Your other open subscriptions. A purchase replaces none of them: each runs to its end, and renews where its ' +
          '`auto_renew` says so, until you cancel it',
      ),
  })
  .meta({ id: 'PlanPurchase' })

export const shownSubscription = (held: Held): z.output<typeof Subscription> => ({
  subscription_id: held.subscriptionId,
  kind: held.kind,
  product: held.product,
  name: held.name,
  interval: held.interval,
  paid_with: held.paidWith,
  price: held.price,
  status: held.status,
  auto_renew: held.autoRenew,
  started_at: held.startedAt.toISOString(),
  ends_at: held.endsAt.toISOString(),
  open_until: held.untilAt.toISOString(),
  cancelled_at: held.cancelledAt?.toISOString() ?? null,
  terms: held.terms.map((term) => ({
    ...{
      number: term.number,
      name: term.name,
      interval: term.interval,
      paid_with: term.paid_with,
      price: term.price,
      credits: term.credits,
    },
    ...{ starts_at: term.starts_at, ends_at: term.ends_at, taken_back_at: term.taken_back_at },
  })),
})

export const examplePlan = plans[0].id

export const examplePurchase: z.output<typeof Purchase> = {
  purchase_id: 'ef806d7b-7d76-4cb0-b0f3-03bafb0a10fd',
  kind: 'credits',
  pack_id: 'credits-100',
  name: '100 credits',
  credits: 100,
  amount: 118000,
  status: 'pending',
  created_at: '2026-11-23T17:06:36.553Z',
  paid_at: null,
  payment: null,
}
