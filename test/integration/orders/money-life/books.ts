/**
 * What a customer has and owes, as a plain model of docs/ledger.md: lots of credits with the rupees behind them, orders with their
 * rows, payments with what went back, and the customer's part of each account in paise. It asks nothing of the product. Times are days
 * since the life began.
 */

export interface Lot {
  /** In the order in which they came to be. */
  readonly id: number
  readonly type: 'purchased' | 'granted'
  /** Infinity: none. */
  readonly end: number
  /** The payment that it was sold by. */
  readonly sale: string | null
  total: number
  used: number
  held: number
  /** Paise without tax, and of them what is income. */
  paid: number
  earned: number
  /** Credits that lapsed, and the paise that are income for that. */
  lapsed: number
  broken: number
}
export type Reason = 'dispute' | 'operator' | 'owned' | 'refused' | 'money_back'
export interface Row {
  readonly serial: number
  readonly owned: boolean
  /** Which lot paid, when, as which charge of all, and whether it was only held. */
  charge: { readonly lot: number; readonly at: number; readonly number: number; readonly isHold: boolean } | null
  isSettled: boolean
  refunded: Reason | null
  isWithdrawn: boolean
  /** At the CRM; null where it is not sent. */
  delivery: { state: 'pending' | 'acknowledged' | 'rejected'; at: number } | null
  report: { state: 'open' | 'accepted' | 'rejected'; readonly by: 'buyer' | 'system' } | null
}
export interface Order {
  readonly id: string
  readonly rows: Row[]
  state: 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  /** Of one that waits: when it was placed. */
  paidAt: number
  /** Of the processor; null for one of credits. */
  readonly paymentOrder: string | null
}
export interface Back {
  readonly id: string
  readonly paise: number
  readonly tax: number
}
export interface Payment {
  readonly id: string
  readonly paymentOrder: string
  /** The order, or the purchase of credits. */
  readonly of: string
  readonly isOrder: boolean
  readonly credits: number
  /** Days that its credits live; null: no end. */
  readonly days: number | null
  /** Paise, tax included. */
  readonly paise: number
  /** Of the processor: what it keeps, and the tax within. */
  readonly fee: number
  readonly feeTax: number
  isTaken: boolean
  readonly backs: Back[]
  /** Given back in the processor's own dashboard, and not told yet, or told already. */
  readonly made: { readonly id: string; readonly paise: number }[]
  /** Paise that an operator asked back, and that could not be booked. */
  asked: number
  readonly disputes: {
    readonly id: string
    readonly paise: number
    state: 'open' | 'won' | 'lost' | 'closed'
    /** What it took, once it is lost. */
    taken: number
  }[]
}
export const accounts = [
  ...(['payments', 'unearned', 'earned', 'breakage', 'taxes', 'fees', 'fee_taxes'] as const),
  ...(['refunds', 'receivables', 'losses'] as const),
]
export type Account = (typeof accounts)[number]

export interface Books {
  now: number
  readonly lots: Lot[]
  readonly orders: Order[]
  readonly payments: Payment[]
  readonly paise: Record<Account, number>
  /** Whether new orders hold their credits. */
  holds: boolean
  isSuspended: boolean
  charges: number
  /** Deeds so far, of two at once each: it stands in their references, under which a thing happens once. */
  moves: number
}

export const emptyBooks = (): Books => ({
  ...{ now: 0, lots: [], orders: [], payments: [], holds: false, isSuspended: false, charges: 0, moves: 0 },
  paise: Object.fromEntries(accounts.map((account) => [account, 0])) as Record<Account, number>,
})

/** One transfer: value leaves the one account and reaches the other. */
export function move(books: Books, from: Account, to: Account, paise: number): void {
  books.paise[from] -= paise
  books.paise[to] += paise
}

export const left = ({ total, used }: Lot): number => total - used
export const isHeld = (row: Row): boolean => row.charge?.isHold === true && !row.isSettled && row.refunded === null
export const stands = (row: Row): boolean => row.charge !== null && row.refunded === null && !row.isWithdrawn
export const rowsOf = ({ orders }: Books): Row[] => orders.flatMap(({ rows }) => rows)
export const owed = ({ paise }: Books): number => paise.receivables

export function lotOf({ lots }: Books, id: number): Lot {
  const lot = lots.find((each) => each.id === id)
  if (!lot) throw new Error(`there is no lot ${id}`)
  return lot
}
/** Of one midnight, told at two times of a day. */
export const isSameEnd = (one: number, other: number): boolean => one === other || Math.abs(one - other) < 1e-3

export function openLot(books: Books, type: Lot['type'], end: number, sale: string | null): Lot {
  const isSame = (lot: Lot) => lot.type === type && lot.sale === sale && isSameEnd(lot.end, end)
  const known = books.lots.find(isSame)
  return known ?? newLot(books, type, end, sale)
}
export function newLot(books: Books, type: Lot['type'], end: number, sale: string | null): Lot {
  const money = { paid: 0, earned: 0, lapsed: 0, broken: 0 }
  const lot: Lot = { id: books.lots.length, type, end, sale, total: 0, used: 0, held: 0, ...money }
  books.lots.push(lot)
  return lot
}

/** Midnight in India after so many days, from now on. */
export function midnightAfter({ now }: Books, days: number): number {
  const day = 86_400_000
  return now + days + 1 - ((Date.now() + 5.5 * 3_600_000) % day) / day
}
