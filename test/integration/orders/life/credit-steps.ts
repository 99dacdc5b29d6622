/** Credits that operators give and take, and days that pass with the jobs that follow them. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { orderTerms } from '../../../../config/plans.ts'
import { closeLedgerDay } from '../../../../src/orders/close-ledger-day.ts'
import { type CreditType, grantCredits, revokeCredits } from '../../../../src/orders/ledger.ts'
import { keepSubscriptions } from '../../../../src/orders/subscriptions/keep-subscriptions.ts'
import { letDaysPass } from '../../../support/payment-world.ts'
import { available, buyTerm, endOf, give, lapse, living, type Model, take, untilOf } from './model.ts'
import { act, refused, step, within } from './real.ts'

const dayMs = 86_400_000

export const grant = fc
  .record({
    credits: fc.constantFrom(1, 3, 6, 320),
    type: fc.constantFrom<CreditType>('purchased', 'plan', 'granted'),
    days: fc.constantFrom(11.3, 41.7, Infinity),
    dies: fc.option(fc.nat({ max: 2 }), { freq: 4 }),
  })
  .map(({ credits, type, days, dies }) =>
    step(`grant ${credits} ${type} for ${days} days`, async (model, real) => {
      const { accountId } = real
      const endsAt = days === Infinity ? null : new Date(Date.now() + days * dayMs)
      const reference = `model:${accountId}:${model.moves}`
      const granting = within((tx) =>
        grantCredits(tx, accountId, credits, reference, { type, endsAt, actor: 'operator' }),
      )
      const { lotId } = await act({ model, real, dies }, granting)
      give(model, type, model.now + days, credits, lotId)
      expect((await granting(real.database.db)).applied).toBe(false)
    }),
  )

export const revoke = fc.integer({ min: 1, max: 5 }).map((credits) =>
  step(`revoke ${credits}`, async (model, real) => {
    const { accountId } = real
    const reference = `less:${accountId}:${model.moves}`
    const revoking = real.database.db.transaction((tx) => revokeCredits(tx, accountId, credits, reference))
    if (credits > available(model)) return refused(revoking, 'INSUFFICIENT_CREDITS')
    await revoking
    take(model, credits, 'total')
  }),
)

/** What the days of a life are compared with: none of it may lie so near that seconds of real time decide. */
function edges({ lots, orders, subscriptions }: Model): number[] {
  const days = [orderTerms.ownedDays, orderTerms.reclaimDays, orderTerms.disputes.days]
  return [
    ...lots.map(({ end }) => end),
    ...orders.flatMap(({ createdAt, paidAt, items }) => [
      createdAt + orderTerms.unpaidHours / 24,
      ...[paidAt, ...items.flatMap(({ reclaimedAt }) => reclaimedAt ?? [])].flatMap((at) =>
        days.map((each) => at + each),
      ),
    ]),
    ...subscriptions.flatMap((held) => [
      endOf(held) - 1,
      untilOf(held),
      ...held.terms.flatMap(({ end }) => [end, end - 15, end - 10, end - 5]),
    ]),
  ]
}

export const pass = fc.constantFrom(1.37, 7.13, 12.71, 29.53, 33.91).map((asked) =>
  step(`${asked} days pass`, async (model, { database, accountId }) => {
    let days = asked
    const isNear = (at: number) => Math.abs(at - model.now - days) < 0.03
    while (edges(model).some(isNear)) days += 0.07
    await letDaysPass(database, accountId, days)
    model.now += days
  }),
)

export const jobs = fc.constant(
  step('the jobs run', async (model, { database }) => {
    await keepSubscriptions(database.as('panji_trade'))
    await closeLedgerDay(database.as('panji_worker'))
    const held = living(model)
    if (held?.autoRenew && !held.cancelled && endOf(held) <= model.now + 1) buyTerm(model, undefined)
    lapse(model)
    for (const order of model.orders) {
      if (order.state === 'pending' && order.createdAt < model.now - orderTerms.unpaidHours / 24)
        order.state = 'expired'
    }
  }),
)
