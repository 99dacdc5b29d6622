/**
 * What an account has, as a plain model: lots of credits, orders with their items, plans with their terms, and what the payment
 * processor knows. Times are days since the life began.
 */
import { orderTerms } from '../../../../config/plans.ts'
import { plans } from '../../../../config/sales.ts'
import type { CreditType } from '../../../../src/orders/ledger.ts'

export const [plan] = plans
export const creditPaise = 100

export interface Lot {
  readonly type: CreditType
  /** Infinity: none. */
  readonly end: number
  /** Of the database; of a term's lot nobody asks. */
  readonly id: number
  /** Of purchased credits, and of those of a term: the lot that they came in. Of others 0. */
  readonly sale: number
  total: number
  used: number
}
export interface Item {
  readonly serial: number
  readonly owned: boolean
  lot: Lot | undefined
  refunded: 'no_contact' | 'dispute' | 'operator' | 'owned' | 'money_back' | undefined
  /** The charge that it came by, or the money for its order, went back. */
  isWithdrawn: boolean
  readonly disputed: Set<number>
  /** Which charge it is: a reclaimed item is charged anew. */
  charge: number
  /** When it was reclaimed, if it was. */
  reclaimedAt: number | undefined
}
export interface Order {
  readonly id: string
  readonly items: Item[]
  readonly createdAt: number
  paidAt: number
  state: 'pending' | 'completed' | 'cancelled' | 'expired'
  isMoneyBack: boolean
}
export interface Term {
  start: number
  end: number
  readonly paidWith: 'credits' | 'online'
  /** The lots that its price came from. */
  readonly paidFrom: readonly Lot[]
  readonly lot: Lot
  isBack: boolean
}
export interface Subscription {
  readonly terms: Term[]
  cancelled: boolean
  autoRenew: boolean
}
export interface Refund {
  readonly id: string
  readonly amount: number
  readonly isChargeback: boolean
  isTaken: boolean
}
/** At the processor: for an order, or for a term of the plan. */
export interface Payment {
  /** Of the order, or of the purchase. */
  readonly id: string
  readonly order: Order | undefined
  readonly paymentOrder: string
  readonly paymentId: string
  readonly amount: number
  isPaid: boolean
  /** Once its notice was taken. */
  isTaken: boolean
  term: Term | undefined
  /** Of its own credits. */
  lot: Lot | undefined
  readonly refunds: Refund[]
}
export interface Model {
  now: number
  readonly lots: Lot[]
  readonly orders: Order[]
  readonly subscriptions: Subscription[]
  readonly payments: Payment[]
  readonly reachable: Set<number>
  readonly disputes: {
    readonly id: string
    readonly order: Order
    readonly item: Item
    readonly charge: number
    isOpen: boolean
  }[]
  moves: number
}

export const emptyModel = (reachable: Set<number>): Model => ({
  ...{ now: 0, lots: [], orders: [], subscriptions: [], payments: [], reachable, disputes: [], moves: 0 },
})

export const isLate = (model: Model, { paidAt }: Order, days: number, item?: Item): boolean =>
  (item?.reclaimedAt ?? paidAt) < model.now - days
export const chargedItems = ({ items }: Pick<Order, 'items'>): Item[] => items.filter(({ owned }) => !owned)

export function owns(model: Model, serial: number): boolean {
  return model.orders.some(
    (order) =>
      order.state === 'completed' &&
      !order.isMoneyBack &&
      order.items.some(
        (item) =>
          item.serial === serial &&
          item.lot &&
          !item.refunded &&
          !item.isWithdrawn &&
          !isLate(model, order, orderTerms.ownedDays, item),
      ),
  )
}

type Chosen = (lot: Lot) => boolean
const any: Chosen = () => true

export const available = ({ lots, now }: Model, chosen: Chosen = any): number =>
  lots.filter((lot) => lot.end > now && chosen(lot)).reduce((sum, { total, used }) => sum + total - used, 0)

/** Whoever takes credits lets go what has ended. */
export function lapse({ lots, now }: Model): void {
  for (const lot of lots) if (lot.end <= now) lot.total = lot.used
}

export function give(model: Model, type: CreditType, end: number, credits: number, id: number): Lot {
  const known = model.lots.find((each) => each.id === id)
  const lot = known ?? { type, end, total: 0, used: 0, id, sale: type === 'purchased' ? id : 0 }
  lot.total += credits
  if (!known) model.lots.push(lot)
  return lot
}

/** From the lots that end first; of those of one day from the one that was there first. @returns the lot of each credit. */
export function take(model: Model, credits: number, kind: 'used' | 'total', chosen: Chosen = any): Lot[] {
  lapse(model)
  const open = model.lots
    .filter((lot) => lot.end > model.now && chosen(lot))
    .sort((one, other) => (one.end !== other.end ? one.end - other.end : one.end === Infinity ? one.id - other.id : 0))
  return Array.from({ length: credits }, () => {
    const lot = open.find((each) => each.total > each.used)
    if (!lot) throw new Error('the model has too few credits')
    lot[kind] += kind === 'used' ? 1 : -1
    return lot
  })
}

export function charge(model: Model, items: readonly Item[], chosen: Chosen = any): void {
  const lots = take(model, items.length, 'used', chosen)
  for (const [index, item] of items.entries()) {
    item.lot = lots[index]
    item.refunded = undefined
    item.charge += 1
  }
}

/** To the end of the day in India, 30 days on. */
const carriedEnd = ({ now }: Model): number => {
  const day = 86_400_000
  return now + 31 - ((Date.now() + 5.5 * 3_600_000) % day) / day
}

/** A credit that comes back after the end of its lot lives on in one of its own end. */
function giveBack(model: Model, lot: Lot): void {
  lot.used -= 1
  if (lot.end > model.now) return
  lot.total -= 1
  const end = carriedEnd(model)
  const isSame = (each: Lot) => each.type === lot.type && Math.abs(each.end - end) < 0.005 && each.sale === lot.sale
  const carried = model.lots.find(isSame)
  if (carried) carried.total += 1
  else model.lots.push({ type: lot.type, end, id: -1 - model.lots.length, sale: lot.sale, total: 1, used: 0 })
}

export function refund(model: Model, item: Item, reason: NonNullable<Item['refunded']>): boolean {
  const { lot } = item
  if (!lot || item.refunded || item.isWithdrawn) return false
  const isBack = returnCredit(model, lot)
  item.refunded = isBack ? reason : 'money_back'
  return isBack
}

/** @returns false where it goes with money that went back before. */
export function returnCredit(model: Model, lot: Lot): boolean {
  const stays = lacking(model, lot) === 0
  if (stays) giveBack(model, lot)
  else {
    lot.used -= 1
    lot.total -= 1
  }
  return stays
}

/** The lot that credits came in, and those in which they lived on. */
const ofSale = (lots: readonly Lot[], { sale }: Lot): Lot[] => lots.filter((lot) => lot.sale === sale)
export const leftOf = (lots: readonly Lot[], lot: Lot): number =>
  ofSale(lots, lot).reduce((sum, { total, used }) => sum + total - used, 0)
export function revokeOf(lots: readonly Lot[], own: Lot, credits: number): void {
  let due = credits
  for (const lot of ofSale(lots, own)) {
    const going = Math.min(due, lot.total - lot.used)
    lot.total -= going
    due -= going
  }
}

/** How many credits more were had of the sale of a lot than the money pays for that stayed. */
function lacking({ lots, payments }: Model, lot: Lot): number {
  const payment = payments.find((each) => lot.sale !== 0 && (each.term?.lot ?? each.lot)?.sale === lot.sale)
  const back = payment ? takenOf(payment) : 0
  if (!payment || back === 0) return 0
  const sold = payment.term ? plan.credits : chargedItems(payment.order ?? { items: [] }).length
  const gone = Math.floor((sold * Math.min(back, payment.amount)) / payment.amount)
  const had = ofSale(lots, lot).reduce((sum, { total }) => sum + total, 0)
  return Math.max(0, had - (sold - gone))
}

/** @param chosen the lots that pay. */
export function complete(model: Model, order: Order, chosen: Chosen = any): void {
  const items = chargedItems(order)
  const bought = new Set(items.filter(({ serial }) => owns(model, serial)))
  order.state = 'completed'
  order.paidAt = model.now
  if (items.length > 0) charge(model, items, chosen)
  for (const item of items) {
    if (!model.reachable.has(item.serial)) refund(model, item, 'no_contact')
    else if (bought.has(item)) refund(model, item, 'owned')
  }
}

/** After each step: what came without a charge stands by a charge, and what the money went back for does not stand. */
export function withdraw(model: Model): void {
  for (const order of model.orders.filter(({ isMoneyBack }) => isMoneyBack))
    for (const item of order.items) item.isWithdrawn ||= item.refunded === undefined
  const stands = (serial: number) =>
    model.orders.some(({ state, items }) =>
      items.some(
        (item) => state === 'completed' && item.serial === serial && item.lot && !item.refunded && !item.isWithdrawn,
      ),
    )
  for (const { items } of model.orders)
    for (const item of items) item.isWithdrawn ||= item.owned && !stands(item.serial)
}

export const endOf = ({ terms }: Subscription): number => terms.at(-1)?.end ?? 0
export const untilOf = (held: Subscription): number => endOf(held) + (held.cancelled ? 0 : plan.graceDays)
export const living = ({ subscriptions, now }: Model): Subscription | undefined =>
  subscriptions.find((each) => untilOf(each) > now + 1e-9)

/** As it was asked for; undefined: not a word about it. */
type AutoRenew = boolean | undefined

export function addTerm(
  model: Model,
  paidWith: Term['paidWith'],
  autoRenew: AutoRenew,
  paidFrom: readonly Lot[],
): Term {
  let held = living(model)
  if (!held) {
    held = { terms: [], cancelled: false, autoRenew: false }
    model.subscriptions.push(held)
  }
  const start = held.terms.length === 0 ? model.now : endOf(held)
  const end = start + plan.days
  const id = -1 - model.lots.length
  const lot: Lot = { type: 'plan', end, id, sale: id, total: plan.credits, used: 0 }
  const term = { start, end, paidWith, paidFrom, lot, isBack: false }
  held.terms.push(term)
  held.cancelled = false
  held.autoRenew = autoRenew ?? held.autoRenew
  model.lots.push(lot)
  return term
}

const isNoPlan: Chosen = ({ type }) => type !== 'plan'

/** @returns whether there were enough. */
export function buyTerm(model: Model, autoRenew: AutoRenew): boolean {
  if (available(model, isNoPlan) < plan.priceCredits) return false
  addTerm(model, 'credits', autoRenew, take(model, plan.priceCredits, 'used', isNoPlan))
  return true
}

export function shorten(model: Model, term: Term, days: number): void {
  const held = model.subscriptions.find(({ terms }) => terms.includes(term))
  if (!held) throw new Error('a term of no subscription')
  const shorter = Math.max(term.end - days, Math.min(term.end, Math.max(term.start, model.now)))
  const gone = term.end - shorter
  for (const later of held.terms.slice(held.terms.indexOf(term) + 1)) {
    later.start -= gone
    later.end -= gone
  }
  term.end = shorter
  term.isBack = true
  held.cancelled = true
  held.autoRenew = false
}

/** @returns how the notice of the payment ends. */
export function takePayment(model: Model, payment: Payment, lotId: number): 'paid' | 'credited' | 'known' {
  if (payment.isTaken) return 'known'
  payment.isTaken = true
  const { order } = payment
  if (!order) {
    payment.term = addTerm(model, 'online', undefined, [])
    return 'paid'
  }
  const own = give(model, 'purchased', Infinity, chargedItems(order).length, lotId)
  payment.lot = own
  if (order.state !== 'pending') return 'credited'
  complete(model, order, (lot) => lot === own)
  return 'paid'
}

const takenOf = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { amount, isTaken }) => sum + (isTaken ? amount : 0), 0)

export function takeRefund(model: Model, payment: Payment, back: Refund): void {
  if (!payment.isTaken || back.isTaken) return
  const before = takenOf(payment)
  back.isTaken = true
  const { order, term, lot } = payment
  const share = (credits: number) => {
    const upTo = (paise: number) => Math.floor((credits * paise) / payment.amount)
    return upTo(before + back.amount) - upTo(before)
  }
  if (term) {
    shorten(model, term, (plan.days * back.amount) / plan.amount)
    revokeOf(model.lots, term.lot, share(plan.credits))
  } else if (order && lot) {
    lot.total -= Math.min(share(chargedItems(order).length), lot.total - lot.used)
    order.isMoneyBack ||= order.state === 'completed' && takenOf(payment) === payment.amount
  }
  if (takenOf(payment) < payment.amount) return
  const own = term?.lot ?? lot
  for (const { items } of model.orders)
    for (const item of items)
      if (
        own &&
        item.lot?.sale === own.sale &&
        (!item.refunded || item.refunded === 'no_contact' || item.refunded === 'money_back')
      )
        item.isWithdrawn = true
}
