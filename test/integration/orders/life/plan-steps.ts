/** Plans bought with credits and online, cancelled, and taken back by an operator. */
import fc from 'fast-check'
import { buyTermOnline } from '../../../../src/orders/buy-term.ts'
import { buyTermWithCredits } from '../../../../src/orders/subscriptions/buy-term.ts'
import { cancelSubscription } from '../../../../src/orders/subscriptions/cancel-subscription.ts'
import { productOf } from '../../../../src/orders/subscriptions/products.ts'
import { listSubscriptions } from '../../../../src/orders/subscriptions/read-subscriptions.ts'
import { refundTermByOperator } from '../../../../src/orders/subscriptions/take-back-term.ts'
import { buyTerm, leftOf, living, plan, returnCredit, revokeOf, shorten } from './model.ts'
import { act, type Real, refused, step, within } from './real.ts'

const product = productOf('plan', plan.id)
const dies = fc.option(fc.nat({ max: 9 }), { freq: 3 })
const purchasesMax = 6

const newestOf = async ({ database, accountId }: Real) =>
  (await listSubscriptions(database.db, accountId, { page: 1, limit: 1 })).subscriptions[0]

const asked = fc.constantFrom(true, false, undefined)

export const buy = fc.record({ autoRenew: asked, dies }).map(({ autoRenew, dies }) =>
  step(`buy the plan with credits, auto_renew ${autoRenew}`, async (model, real) => {
    const buying = act(
      { model, real, dies },
      within((tx) => buyTermWithCredits(tx, real.accountId, product, { autoRenew })),
    )
    // The model buys once the database has: killed on the way, nothing was bought.
    const ended = await buying.then(
      () => true,
      (error: unknown) => error,
    )
    if (buyTerm(model, autoRenew)) {
      if (ended !== true) throw ended
    } else await refused(Promise.reject(ended), 'INSUFFICIENT_CREDITS')
  }),
)

export const begin = fc.constant(
  step('begin to buy the plan online', async (model, { database, accountId, processor }) => {
    if (model.payments.filter(({ order }) => order === undefined).length >= purchasesMax) return
    const made = await buyTermOnline(database.db, processor, accountId, product, async (_tx, checkout) => checkout)
    const { checkoutId: id, payment } = made
    model.payments.push({
      ...{ id, order: undefined, paymentOrder: payment?.id ?? '', paymentId: `pay_${id}`, amount: plan.amount },
      ...{ isPaid: false, isTaken: false, term: undefined, lot: undefined, refunds: [] },
    })
  }),
)

export const cancelPlan = fc.record({ dies }).map(({ dies }) =>
  step('cancel the plan', async (model, real) => {
    const held = living(model)
    const newest = await newestOf(real)
    if (!newest) return
    const { accountId } = real
    const cancelling = act(
      { model, real, dies },
      within((tx) => cancelSubscription(tx, accountId, newest.subscriptionId, `account:${accountId}`)),
    )
    if (!held) return refused(cancelling, 'CONFLICT')
    await cancelling
    held.cancelled = true
    held.autoRenew = false
  }),
)

export const takeTermBack = fc.record({ dies }).map(({ dies }) =>
  step('an operator takes the last term back', async (model, real) => {
    const held = living(model)
    const newest = await newestOf(real)
    if (!newest || !held) return
    const term = held.terms.findLast(({ isBack }) => !isBack)
    const asked = { subscriptionId: newest.subscriptionId, reason: 'model', actor: 'operator' } as const
    const taking = act(
      { model, real, dies },
      within((tx) => refundTermByOperator(tx, asked)),
    )
    if (!term) return refused(taking, 'NOT_FOUND')
    if (term.paidWith === 'online') return refused(taking, 'CONFLICT')
    if (term.end <= model.now) return refused(taking, 'CONFLICT')
    await taking
    const timeLeft = (term.end - Math.max(term.start, model.now)) / plan.days
    const unused = Math.min(timeLeft, leftOf(model.lots, term.lot) / plan.credits)
    // The credits that were taken last return first.
    const back = Math.ceil(plan.priceCredits * unused - 1e-3)
    for (const lot of term.paidFrom.toReversed().slice(0, back)) returnCredit(model, lot)
    shorten(model, term, plan.days)
    revokeOf(model.lots, term.lot, plan.credits)
  }),
)
