/**
 * Plans against a plain model: bought with credits and online, renewed, cancelled, refunded in part and as a whole, charged
 * back, told of in any order and number, reconciled, while days pass. After each step what is open, until when, and the
 * credits are what the model says; after each life the books hold every invariant.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plans } from '../../../config/plans.ts'
import { sampleSeller } from '../../../config/seller.ts'
import { getAccount } from '../../../src/access/accounts.ts'
import { effectiveScope } from '../../../src/access/entitlements.ts'
import { buyTermOnline } from '../../../src/orders/buy-term.ts'
import { keepBooks } from '../../../src/orders/keep-books.ts'
import { grantCredits, revokeCredits } from '../../../src/orders/ledger.ts'
import type { PaymentProcessor } from '../../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { buyTermWithCredits } from '../../../src/orders/subscriptions/buy-term.ts'
import { cancelSubscription } from '../../../src/orders/subscriptions/cancel-subscription.ts'
import { keepSubscriptions } from '../../../src/orders/subscriptions/keep-subscriptions.ts'
import { productOf } from '../../../src/orders/subscriptions/products.ts'
import { listSubscriptions } from '../../../src/orders/subscriptions/read-subscriptions.ts'
import { refundTermByOperator } from '../../../src/orders/subscriptions/take-back-term.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { letDaysPass } from '../../support/payment-world.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()
const queue = recordJobs()
const [plan] = plans
const dayMs = 86_400_000
/** A life takes seconds of real time, too. */
const toleranceDays = 0.002

/** Days since the life began; `lot` counts down its credits. */
interface Term {
  start: number
  end: number
  readonly paidWith: 'credits' | 'online'
  readonly lot: { readonly end: number; left: number }
  back: boolean
}
interface Subscription {
  readonly terms: Term[]
  cancelled: boolean
  autoRenew: boolean
}
/** At the processor: paid, and of it what was given back, each part told of or not. */
interface Purchase {
  readonly id: string
  readonly paymentOrder: string
  readonly paymentId: string
  paid: boolean
  /** Once its notice was taken. */
  term: Term | undefined
  readonly refunds: { readonly id: string; readonly amount: number; taken: boolean; chargeback: boolean }[]
}
interface Model {
  now: number
  granted: number
  readonly subscriptions: Subscription[]
  readonly lots: Term['lot'][]
  readonly purchases: Purchase[]
  moves: number
}
interface Real {
  readonly accountId: string
  readonly processor: PaymentProcessor
}
type Step = fc.AsyncCommand<Model, Real>

const endOf = ({ terms }: Subscription) => terms.at(-1)?.end ?? 0
const untilOf = (held: Subscription) => endOf(held) + (held.cancelled ? 0 : plan.graceDays)
const living = ({ subscriptions, now }: Model) => subscriptions.find((each) => untilOf(each) > now + 1e-9)

function add(model: Model, paidWith: Term['paidWith'], autoRenew: boolean): Term {
  let held = living(model)
  if (!held) {
    held = { terms: [], cancelled: false, autoRenew }
    model.subscriptions.push(held)
  }
  const start = held.terms.length === 0 ? model.now : endOf(held)
  const lot = { end: start + plan.days, left: plan.credits }
  const term = { start, end: start + plan.days, paidWith, lot, back: false }
  held.terms.push(term)
  held.cancelled = false
  held.autoRenew = autoRenew
  model.lots.push(lot)
  return term
}

function shorten(model: Model, term: Term, days: number): void {
  const held = model.subscriptions.find(({ terms }) => terms.includes(term))
  if (!held) throw new Error('a term of no subscription')
  const shorter = Math.max(term.end - days, Math.min(term.end, Math.max(term.start, model.now)))
  const gone = term.end - shorter
  for (const later of held.terms.slice(held.terms.indexOf(term) + 1)) {
    later.start -= gone
    later.end -= gone
  }
  term.end = shorter
  term.back = true
  held.cancelled = true
  held.autoRenew = false
}

/** Whatever takes credits lets those go first whose end has come. */
function lapse(model: Model): void {
  for (const lot of model.lots) if (lot.end <= model.now) lot.left = 0
}

function buyInModel(model: Model, autoRenew: boolean): boolean {
  lapse(model)
  if (model.granted < plan.priceCredits) return false
  model.granted -= plan.priceCredits
  add(model, 'credits', autoRenew)
  return true
}

function takePayment(model: Model, purchase: Purchase): boolean {
  if (!purchase.paid || purchase.term) return false
  purchase.term = add(model, 'online', false)
  return true
}

/** What went back before, of the parts that were taken. */
const backOf = ({ refunds }: Purchase) => refunds.reduce((sum, { amount, taken }) => sum + (taken ? amount : 0), 0)

function takeRefund(model: Model, purchase: Purchase, refund: Purchase['refunds'][number]): void {
  if (!purchase.term || refund.taken) return
  const before = backOf(purchase)
  refund.taken = true
  const upTo = (paise: number) => Math.floor((plan.credits * paise) / plan.amount)
  shorten(model, purchase.term, (plan.days * refund.amount) / plan.amount)
  const { lot } = purchase.term
  lot.left -= Math.min(lot.left, upTo(before + refund.amount) - upTo(before))
}

async function compare(model: Model, { accountId }: Real): Promise<void> {
  const { db } = database
  const held = living(model)
  const account = await getAccount(db, accountId)
  const { enabled } = await effectiveScope(db, account, 'gst')
  expect([enabled, account.plan]).toEqual(held ? [true, 'premium'] : [false, 'free'])
  const [credits] = await db.query<{ plan: number; granted: number }>(
    `SELECT coalesce(sum(total - used) FILTER (WHERE type = 'plan' AND ends_at > now()), 0)::integer AS plan,
            coalesce(sum(total - used) FILTER (WHERE type = 'granted'), 0)::integer AS granted
     FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1`,
    [accountId],
  )
  const left = model.lots.filter(({ end }) => end > model.now).reduce((sum, lot) => sum + lot.left, 0)
  expect(credits).toEqual({ plan: left, granted: model.granted })
  const { subscriptions } = await listSubscriptions(db, accountId, { page: 1, limit: 100 })
  const dates = (terms: readonly { readonly start: number; readonly end: number }[]) =>
    terms.flatMap(({ start, end }) => [start, end])
  const real = subscriptions
    .map(({ terms }) =>
      dates(terms.map(({ starts_at, ends_at }) => ({ start: daysFromNow(starts_at), end: daysFromNow(ends_at) }))),
    )
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
  const wanted = model.subscriptions
    .map(({ terms }) => dates(terms).map((each) => each - model.now))
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
  expect(real.map((each) => each.length)).toEqual(wanted.map((each) => each.length))
  const wrong = real.flat().filter((each, index) => Math.abs(each - (wanted.flat()[index] ?? 0)) > toleranceDays)
  expect(wrong).toEqual([])
}
const daysFromNow = (at: string) => (Date.parse(at) - Date.now()) / dayMs

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run: async (model, real) => {
    model.moves += 1
    await run(model, real)
    await compare(model, real)
  },
  toString: () => name,
})
const inTx: typeof database.db.transaction = (work) => database.db.transaction(work)
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]
const product = (autoRenew = false) => productOf('plan', plan.id, autoRenew)

const top = fc.constantFrom(100, 300, 700).map((credits) =>
  step(`grant ${credits}`, async (model, { accountId }) => {
    await inTx((tx) => grantCredits(tx, accountId, credits, `model:${accountId}:${model.moves}`))
    model.granted += credits
  }),
)
const buy = fc.boolean().map((autoRenew) =>
  step(`buy with credits${autoRenew ? ', renewing itself' : ''}`, async (model, { accountId }) => {
    const buying = inTx((tx) => buyTermWithCredits(tx, accountId, product(autoRenew)))
    if (buyInModel(model, autoRenew)) await buying
    else await expect(buying).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
  }),
)
const use = fc.integer({ min: 1, max: 120 }).map((credits) =>
  step(`use ${credits} of the plan`, async (model, { accountId }) => {
    const using = inTx((tx) =>
      revokeCredits(tx, accountId, credits, `use:${accountId}:${model.moves}`, { type: 'plan' }),
    )
    const lots = model.lots.filter(({ end }) => end > model.now).sort((one, other) => one.end - other.end)
    if (credits > lots.reduce((sum, { left }) => sum + left, 0)) {
      await expect(using).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
      return
    }
    await using
    lapse(model)
    let wanted = credits
    for (const lot of lots) {
      const taken = Math.min(wanted, lot.left)
      lot.left -= taken
      wanted -= taken
    }
  }),
)
const order = fc.constant(
  step('begin to buy online', async (model, { accountId, processor }) => {
    if (model.purchases.length > 8) return
    const made = await buyTermOnline(
      database.db,
      processor,
      { accountId },
      product(),
      async (_tx, checkout) => checkout,
    )
    const { checkoutId: id, payment } = made
    const facts = { id, paymentOrder: payment?.id ?? '', paymentId: `pay_${id}`, paid: false, term: undefined }
    model.purchases.push({ ...facts, refunds: [] })
  }),
)
const pay = fc.nat().map((at) =>
  step('pay', async (model) => {
    const purchase = pick(model.purchases, at)
    if (purchase) purchase.paid = true
  }),
)
const giveBack = fc
  .record({ at: fc.nat(), part: fc.constantFrom(2, 3, 1), chargeback: fc.boolean() })
  .map(({ at, part, chargeback }) =>
    step(`${chargeback ? 'charge' : 'give'} 1/${part} back`, async (model) => {
      const purchase = pick(
        model.purchases.filter(({ paid }) => paid),
        at,
      )
      if (!purchase) return
      const left = plan.amount - purchase.refunds.reduce((sum, { amount }) => sum + amount, 0)
      const amount = Math.floor(left / part)
      if (amount < 100) return
      purchase.refunds.push({ id: `rfnd_${purchase.id}_${model.moves}`, amount, taken: false, chargeback })
    }),
  )
const teller = { provider: 'model', seller: sampleSeller, source: 'webhook' as const }
const tellPayment = fc.nat().map((at) =>
  step('tell of a payment', async (model) => {
    const purchase = pick(
      model.purchases.filter(({ paid }) => paid),
      at,
    )
    if (!purchase) return
    const { outcome } = await receiveEvent(database.db, queue, teller, {
      ...{ name: 'paid', kind: 'paid', payment: noticeOf(purchase) },
    })
    expect(outcome).toBe(takePayment(model, purchase) ? 'paid' : 'known')
  }),
)
const tellRefund = fc.record({ at: fc.nat(), which: fc.nat() }).map(({ at, which }) =>
  step('tell of a refund', async (model) => {
    const purchase = pick(
      model.purchases.filter(({ refunds }) => refunds.length > 0),
      at,
    )
    const refund = purchase && pick(purchase.refunds, which)
    if (!refund) return
    await receiveEvent(database.db, queue, teller, {
      ...{ name: 'repaid', kind: 'repaid', refund: refundNoticeOf(purchase, refund) },
    })
    takeRefund(model, purchase, refund)
  }),
)
const reconcile = fc.nat().map((at) =>
  step('reconcile', async (model, { processor }) => {
    const purchase = pick(model.purchases, at)
    if (!purchase) return
    await reconcilePayments({ db: database.db, queue, processor }, purchase.id)
    takePayment(model, purchase)
    // A purchase that is refunded as a whole is asked for no more; chargebacks are told of alone.
    for (const refund of purchase.refunds) if (!refund.chargeback) takeRefund(model, purchase, refund)
  }),
)
const cancel = fc.constant(
  step('cancel', async (model, { accountId }) => {
    const held = living(model)
    const [newest] = (await listSubscriptions(database.db, accountId, { page: 1, limit: 1 })).subscriptions
    if (!newest) return
    const cancelling = inTx((tx) => cancelSubscription(tx, accountId, newest.subscriptionId, `account:${accountId}`))
    if (!held) return expect(cancelling).rejects.toMatchObject({ code: 'CONFLICT' })
    await cancelling
    held.cancelled = true
    held.autoRenew = false
  }),
)
const takeBack = fc.constant(
  step('an operator takes the last term back', async (model, { accountId }) => {
    const held = living(model)
    const [newest] = (await listSubscriptions(database.db, accountId, { page: 1, limit: 1 })).subscriptions
    if (!newest || !held) return
    const term = held.terms.findLast(({ back }) => !back)
    const taking = inTx((tx) =>
      refundTermByOperator(tx, { subscriptionId: newest.subscriptionId, reason: 'model', actor: 'operator' }),
    )
    if (!term) return expect(taking).rejects.toMatchObject({ code: 'NOT_FOUND' })
    if (term.paidWith === 'online') return expect(taking).rejects.toMatchObject({ code: 'CONFLICT' })
    await taking
    shorten(model, term, plan.days)
    term.lot.left = 0
    model.granted += plan.priceCredits
  }),
)
const pass = fc.constantFrom(1.37, 7.13, 12.71, 29.53, 33.91).map((days) =>
  step(`${days} days pass`, async (model, { accountId }) => {
    await letDaysPass(database, accountId, days)
    model.now += days
  }),
)
const job = fc.constant(
  step('the jobs run', async (model) => {
    await keepSubscriptions(database.as('panji_api'))
    await keepBooks(database.as('panji_worker'))
    const held = living(model)
    if (held?.autoRenew && !held.cancelled && endOf(held) <= model.now + 1) buyInModel(model, true)
    lapse(model)
  }),
)

const noticeOf = ({ paymentId, paymentOrder: paymentOrderId }: Purchase) => ({
  ...{ paymentId, paymentOrderId, amount: plan.amount, currency: 'INR', fee: 0 },
})
const refundNoticeOf = ({ paymentId }: Purchase, { id, amount, chargeback }: Purchase['refunds'][number]) => ({
  ...{
    refundId: id,
    paymentId,
    amount,
    currency: 'INR',
    cause: chargeback ? ('chargeback' as const) : ('refund' as const),
  },
})

function processorOf(model: Model): PaymentProcessor {
  let orders = 0
  return {
    provider: 'model',
    creditPaise: 1180,
    seller: sampleSeller,
    begin: async ({ orderId, amount }) => ({
      ...{ provider: 'model', id: `order_${orderId}_${++orders}`, amount, currency: 'INR', key_id: 'key' },
    }),
    readEvent: () => ({ name: 'other', kind: 'other' }),
    paymentsOf: async (id) =>
      model.purchases.filter(({ paid, paymentOrder }) => paid && paymentOrder === id).map(noticeOf),
    refundsOf: async (id) =>
      model.purchases
        .filter(({ paymentId }) => paymentId === id)
        .flatMap((purchase) =>
          purchase.refunds.filter(({ chargeback }) => !chargeback).map((refund) => refundNoticeOf(purchase, refund)),
        ),
    refund: async () => undefined,
  }
}

test('over any life of its plans an account has what a plain model says, and both currencies agree', {
  timeout: 600_000,
}, async () => {
  const steps = [
    ...[top, top, buy, buy, use, order, order, pay, pay, tellPayment, tellPayment, reconcile],
    ...[giveBack, tellRefund, tellRefund, cancel, takeBack, pass, pass, pass, job],
  ]
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 45, size: '+1' }), async (commands) => {
      const accountId = await createAccount(database.db)
      await fc.asyncModelRun(() => {
        const model: Model = { now: 0, granted: 0, subscriptions: [], lots: [], purchases: [], moves: 0 }
        return { model, real: { accountId, processor: processorOf(model) } }
      }, commands)
      expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
    }),
    { numRuns: 20 },
  )
})
