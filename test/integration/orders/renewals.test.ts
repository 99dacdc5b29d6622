/**
 * Renewals by their job over months, of many accounts beside each other, against a plain model: with the worker on and away, credits
 * that come late or never, cancellations, suspensions, erasures, prices that change, and what is sold no more.
 */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { offers, plans } from '../../../config/sales.ts'
import { suspendAccount, unsuspendAccount } from '../../../src/access/accounts.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { buyTermWithCredits } from '../../../src/orders/subscriptions/buy-term.ts'
import { cancelSubscription } from '../../../src/orders/subscriptions/cancel-subscription.ts'
import { keepSubscriptions } from '../../../src/orders/subscriptions/keep-subscriptions.ts'
import { type ProductKind, productOf } from '../../../src/orders/subscriptions/products.ts'
import { listSubscriptions } from '../../../src/orders/subscriptions/read-subscriptions.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type Draw, drawOf } from '../../support/draw.ts'
import { figure } from '../../support/figures.ts'
import {
  addTerm,
  type Buyer,
  dayMs,
  edgesOf,
  type Held,
  hourMs,
  isOpen,
  keep,
  type Sold,
} from './renewal-life/model.ts'
import { compareRenewals, letHoursPass } from './renewal-life/real.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()

const trade = () => database.as('panji_trade')

const soldAs = (kind: ProductKind, id: string): Sold => {
  const { priceCredits: price, terms } = productOf(kind, id)
  return { id, kind, days: terms.days, graceDays: terms.graceDays, credits: terms.credits, price }
}
const products = () => [
  soldAs('plan', 'premium-month'),
  soldAs('offer', 'recent-gst-30'),
  soldAs('offer', 'recent-companies-30'),
]

// What another test began is over.
beforeEach(async () => {
  await letHoursPass(database.db, 40 * 24)
  await keepSubscriptions(trade())
})

/** An account with what it holds. */
async function begin(
  credits: number,
  bought: readonly { sold: Sold; autoRenew: boolean }[],
  clock: Clock,
): Promise<Buyer> {
  const accountId = await createAccount(database.db, credits)
  const buyer: Buyer = { accountId, credits, held: [], isSuspended: false, isErased: false }
  for (const { sold, autoRenew } of bought) await buy(buyer, sold, autoRenew, clock)
  return buyer
}

async function buy(buyer: Buyer, sold: Sold, autoRenew: boolean, clock: Clock): Promise<void> {
  const { accountId } = buyer
  const id = await database.db.transaction((tx) =>
    buyTermWithCredits(tx, accountId, productOf(sold.kind, sold.id), { autoRenew }),
  )
  const [row] = await database.db.query<{ at: number }>(
    'SELECT round(extract(epoch FROM started_at) * 1000)::bigint AS at FROM access.subscription WHERE subscription_id = $1',
    [id],
  )
  const held: Held = {
    ...{ id, sold, terms: [], autoRenew, cancelled: false, told: [], isNotified: false, isMarkedEnded: false },
  }
  buyer.held.push(held)
  addTerm(buyer, held, (row?.at ?? 0) + clock.shift, sold.price ?? 0)
}

/** That of the database, moved on by what has passed. */
interface Clock {
  shift: number
}
const nowOf = async ({ shift }: Clock): Promise<number> => {
  const [row] = await database.db.query<{ at: number }>('SELECT round(extract(epoch FROM now()) * 1000)::bigint AS at')
  return (row?.at ?? 0) + shift
}

/** So many hours pass, and a little more where something is decided just then: a test takes seconds, too. */
async function pass(buyers: readonly Buyer[], clock: Clock, asked: number): Promise<void> {
  const now = await nowOf(clock)
  const edges = buyers.flatMap(({ held }) => held.flatMap(edgesOf))
  let hours = asked
  while (edges.some((at) => Math.abs(at - now - hours * hourMs) < 0.2 * hourMs)) hours += 0.1
  await letHoursPass(database.db, hours)
  clock.shift += hours * hourMs
}

const monthly = (autoRenew: boolean) => [{ sold: soldAs('plan', 'premium-month'), autoRenew }]
const termsOf = async ({ accountId }: Buyer) =>
  (
    await database.db.query<{ terms: number }>(
      `SELECT count(*) AS terms FROM access.subscription_term JOIN access.subscription USING (subscription_id) WHERE account_id = $1`,
      [accountId],
    )
  )[0]?.terms

test('those that cannot be renewed keep nobody behind them from it, however few are told in one run', async () => {
  const clock: Clock = { shift: 0 }
  const short = [await begin(300, monthly(true), clock), await begin(300, monthly(true), clock)]
  const rich = await begin(600, monthly(true), clock)
  await letHoursPass(database.db, 29.5 * 24)
  expect(await keepSubscriptions(trade(), 1)).toMatchObject({ renewed: 1, notRenewed: 2 })
  expect([await termsOf(rich), ...(await Promise.all(short.map(termsOf)))]).toEqual([2, 1, 1])
})

test('a suspended account buys no further term until it is let go, and an erased one none', async () => {
  const clock: Clock = { shift: 0 }
  const [held, erased] = [await begin(600, monthly(true), clock), await begin(600, monthly(true), clock)]
  const unasked = await begin(300, monthly(false), clock)
  await database.db.transaction((tx) => suspendAccount(tx, held.accountId, 'a test'))
  for (const { accountId } of [erased, unasked]) await database.db.transaction((tx) => eraseAccount(tx, accountId))
  await letHoursPass(database.db, 29.5 * 24)
  expect(await keepSubscriptions(trade())).toEqual({ renewed: 0, notRenewed: 0, ended: 0 })
  await letHoursPass(database.db, 24)
  await database.db.transaction((tx) => unsuspendAccount(tx, held.accountId))
  expect(await keepSubscriptions(trade())).toEqual({ renewed: 1, notRenewed: 0, ended: 0 })
  expect([await termsOf(held), await termsOf(erased), await termsOf(unasked)]).toEqual([2, 1, 1])
})

test('whose plan is over before a worker runs again is told so once, whether they asked for its renewal or not', async () => {
  const clock: Clock = { shift: 0 }
  const asked = await begin(600, monthly(true), clock)
  const unasked = await begin(300, monthly(false), clock)
  const held = await begin(600, monthly(true), clock)
  const cancelled = await begin(300, monthly(false), clock)
  const erased = await begin(600, monthly(true), clock)
  const [{ id = '' } = {}] = cancelled.held
  await database.db.transaction((tx) =>
    cancelSubscription(tx, cancelled.accountId, id, `account:${cancelled.accountId}`),
  )
  await database.db.transaction((tx) => suspendAccount(tx, held.accountId, 'a test'))
  await database.db.transaction((tx) => eraseAccount(tx, erased.accountId))
  await letHoursPass(database.db, 34 * 24)
  const both = await Promise.all([keepSubscriptions(trade()), keepSubscriptions(trade())])
  expect(both.map(({ ended }) => ended).reduce((sum, each) => sum + each)).toBe(5)
  await keepSubscriptions(trade())
  const told = await database.db.query(
    `SELECT account_id AS id, data ->> 'reason' AS reason, data -> 'is_over' AS over FROM deliver.mail
     WHERE type = 'subscription.ending' AND account_id = ANY ($1) ORDER BY array_position($1, account_id)`,
    [[asked, unasked, held, cancelled, erased].map(({ accountId }) => accountId)],
  )
  expect(told).toEqual([
    { id: asked.accountId, reason: 'missed', over: true },
    { id: unasked.accountId, reason: 'not_asked', over: true },
    { id: held.accountId, reason: 'missed', over: true },
  ])
  const page = { page: 1, limit: 10 }
  const { subscriptions } = await listSubscriptions(database.db, asked.accountId, page)
  expect(subscriptions).toMatchObject([{ status: 'ended', autoRenew: false }])
})

test('an error that one renewal meets is reported once all others are renewed, told and marked, and a repeat renews it', async () => {
  const clock: Clock = { shift: 0 }
  const over = await begin(300, monthly(false), clock)
  await letHoursPass(database.db, 4 * 24)
  const [first, second] = [await begin(600, monthly(true), clock), await begin(600, monthly(true), clock)]
  const unasked = await begin(300, monthly(false), clock)
  const third = await begin(600, monthly(true), clock)
  await letHoursPass(database.db, 29.5 * 24)
  await database.db.execute(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM access.subscription WHERE subscription_id = NEW.subscription_id AND account_id = '${first.accountId}')
    THEN RAISE 'a fault of one account'; END IF; RETURN NEW; END $$`)
  await database.db.execute(
    `CREATE TRIGGER refuse BEFORE INSERT ON access.subscription_term FOR EACH ROW EXECUTE FUNCTION public.refuse()`,
  )
  try {
    await expect(keepSubscriptions(trade())).rejects.toThrow(/a fault of one account/)
  } finally {
    await database.db.execute('DROP FUNCTION public.refuse CASCADE')
  }
  expect(await Promise.all([first, second, third].map(termsOf))).toEqual([1, 2, 2])
  const told = await database.db.query(
    `SELECT account_id AS id FROM deliver.mail WHERE type = 'subscription.ending' AND account_id = ANY ($1) ORDER BY created_at, account_id`,
    [[first, second, third, over, unasked].map(({ accountId }) => accountId)],
  )
  expect(told).toHaveLength(2)
  expect(await keepSubscriptions(trade())).toEqual({ renewed: 1, notRenewed: 0, ended: 0 })
  expect(await termsOf(first)).toBe(2)
})

test('over months the job renews what a plain model says, each term from where the last one ends, and tells of the rest', {
  timeout: 600_000,
}, async () => {
  const draw = drawOf(20_28)
  const clock: Clock = { shift: 0 }
  const kinds = products()
  // To the first nothing happens but what is done to all: so each way to an end is met.
  const buyers = [
    await begin(
      4_000,
      kinds.map((sold) => ({ sold, autoRenew: true })),
      clock,
    ),
  ]
  for (let each = 0; each < figure(14, 60); each++) {
    const bought = kinds.filter(() => draw.below(3) > 0).map((sold) => ({ sold, autoRenew: draw.below(5) > 0 }))
    const price = bought.reduce((sum, { sold }) => sum + (sold.price ?? 0), 0)
    buyers.push(await begin(price + draw.below(2_000), bought, clock))
    await pass(buyers, clock, draw.below(60))
  }
  let awayUntil = 0
  for (let round = 0; round < figure(90, 400); round++) {
    await pass(buyers, clock, draw.of([3, 13, 23, 31, 49, 71]) ?? 1)
    await happen(draw.of(buyers.slice(1).filter(({ isErased }) => !isErased)), draw, clock)
    if (round === 20 || round === 50) reprice(kinds, round === 20 ? 340 : 300)
    if (round === 40) retire(kinds)
    // Twice nobody runs the worker: for three days, and for a month.
    if (round === 12) awayUntil = (await nowOf(clock)) + 3 * dayMs
    if (round === 68) awayUntil = (await nowOf(clock)) + 33 * dayMs
    const now = await nowOf(clock)
    if (now < awayUntil) continue
    const { renewed, ended } = await keepSubscriptions(trade())
    expect({ renewed, ended }).toEqual(keep(buyers, now))
    await compareRenewals(database.db, buyers, now, clock.shift)
  }
  const all = buyers.flatMap(({ held }) => held)
  expect(all.filter(({ terms }) => terms.length > 2).length).toBeGreaterThan(3)
  expect(new Set(all.flatMap(({ told }) => told))).toEqual(
    new Set(['not_asked', 'credits_short', 'not_on_sale', 'missed']),
  )
  expect(buyers.filter(({ isErased, isSuspended }) => isErased || isSuspended).length).toBeGreaterThan(1)
})

async function happen(buyer: Buyer | undefined, draw: Draw, clock: Clock): Promise<void> {
  const [what, mayErase] = [draw.below(16), draw.oneIn(3)]
  if (!buyer) return
  const { accountId } = buyer
  const now = await nowOf(clock)
  if (what < 4) {
    const credits = 300
    await database.db.transaction((tx) => grantCredits(tx, accountId, credits, `more:${accountId}:${now}`))
    buyer.credits += credits
  } else if (what === 4) {
    const held = buyer.held.find((each) => isOpen(each, now))
    if (!held) return
    await database.db.transaction((tx) => cancelSubscription(tx, accountId, held.id, `account:${accountId}`))
    held.cancelled = true
    held.autoRenew = false
  } else if (what < 7) {
    if (buyer.isSuspended) await database.db.transaction((tx) => unsuspendAccount(tx, accountId))
    else await database.db.transaction((tx) => suspendAccount(tx, accountId, 'a test'))
    buyer.isSuspended = !buyer.isSuspended
  } else if (what < 10) {
    const sold = buyer.held.at(-1)?.sold
    const isAnew = sold && !buyer.held.some((each) => each.sold === sold && isOpen(each, now))
    if (isAnew && !buyer.isSuspended && sold.price !== null && buyer.credits >= sold.price)
      await buy(buyer, sold, what === 8, clock)
  } else if (what === 10 && mayErase) {
    await database.db.transaction((tx) => eraseAccount(tx, accountId))
    buyer.isErased = true
  }
}

/** As an operator does, who changes config/sales.ts. */
const asSold = [plans[0], offers.find(({ id }) => id === 'recent-companies-30')] as const
const before = structuredClone(asSold)
afterAll(() => {
  for (const [place, each] of asSold.entries()) if (each) Object.assign(each, before[place])
})

function retire(kinds: readonly Sold[]): void {
  const gone = kinds.find(({ id }) => id === asSold[1]?.id)
  if (!gone || !asSold[1]) throw new Error('the offer is not on sale')
  Object.assign(asSold[1], { id: 'sold-no-more' })
  gone.price = null
}

function reprice(kinds: readonly Sold[], price: number): void {
  Object.assign(plans[0], { priceCredits: price })
  for (const sold of kinds) if (sold.id === plans[0].id) sold.price = price
}
