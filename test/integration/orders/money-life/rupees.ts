/** How rupees move in the model: a sale, its income, and its way back by a refund or a chargeback. */
import {
  type Back,
  type Books,
  isHeld,
  type Lot,
  left,
  lotOf,
  midnightAfter,
  move,
  openLot,
  type Payment,
  type Row,
  rowsOf,
} from './books.ts'
import { charge, giveBack, owns } from './credits.ts'

/** 18 percent within a sum, in two halves that are equal to the paisa. */
export const taxWithin = (paise: number): number => 2 * Math.round((paise * 18) / 236)

export function takePayment(books: Books, payment: Payment): 'paid' | 'credited' | 'known' {
  if (payment.isTaken) return 'known'
  payment.isTaken = true
  const end = payment.days === null ? Infinity : midnightAfter(books, payment.days)
  const lot = openLot(books, 'purchased', end, payment.id)
  const tax = taxWithin(payment.paise)
  lot.total += payment.credits
  lot.paid += payment.paise - tax
  move(books, 'unearned', 'payments', payment.paise - tax)
  move(books, 'taxes', 'payments', tax)
  move(books, 'payments', 'fees', payment.fee - payment.feeTax)
  move(books, 'payments', 'fee_taxes', payment.feeTax)
  if (!payment.isOrder) return 'paid'
  const order = books.orders.find(({ id }) => id === payment.of)
  if (order?.state !== 'pending') return 'credited'
  const rows = order.rows.filter(({ owned }) => !owned)
  const bought = rows.filter(({ serial }) => owns(books, serial))
  order.state = 'paid'
  order.paidAt = books.now
  charge(books, rows, lot)
  giveBack(books, bought, 'owned')
  return 'paid'
}

/** Credits that were spent are income, and what is left when they have lapsed. */
export function earn(books: Books, lots: readonly Lot[] = books.lots): void {
  for (const lot of lots) {
    const spent = lot.used - lot.held
    const due = lot.total === spent ? lot.paid : Math.floor((lot.paid * spent) / lot.total)
    if (due <= lot.earned) continue
    const bySpending = Math.floor((lot.paid * spent) / Math.max(lot.total + lot.lapsed, 1))
    const news = due - lot.earned
    const broken = lot.lapsed === 0 ? 0 : Math.max(0, Math.min(news, due - lot.broken - bySpending))
    move(books, 'breakage', 'unearned', broken)
    move(books, 'earned', 'unearned', news - broken)
    lot.broken += broken
    lot.earned = due
  }
}

const sumOf = (backs: readonly Back[]) => backs.reduce((sum, { paise }) => sum + paise, 0)
export const wentBack = ({ backs }: Payment): number => sumOf(backs)

export interface Given {
  readonly id: string
  readonly paise: number
  readonly isChargeback: boolean
  /** As its credit note says; the caller has looked at it. */
  readonly tax: number
  /** Rows that an operator named. */
  readonly rows?: readonly Row[]
}

export function takeMoneyBack(
  books: Books,
  payment: Payment,
  { id, paise, isChargeback, tax, rows = [] }: Given,
): void {
  const before = Math.min(wentBack(payment), payment.paise)
  const after = Math.min(before + paise, payment.paise)
  const over = paise - (after - before)
  payment.backs.push({ id, paise, tax })
  const isWhole = wentBack(payment) >= payment.paise
  const order = books.orders.find((each) => payment.isOrder && each.id === payment.of)
  if (order && isWhole) {
    giveBack(books, order.rows.filter(isHeld), 'money_back')
    for (const row of order.rows) row.isWithdrawn ||= row.refunded === null
  }
  if (after > before) takePart(books, payment, { before, after, isWhole, isChargeback, tax, rows })
  move(books, 'payments', 'receivables', over)
  if (order?.state === 'paid' && isWhole) order.state = 'refunded'
}

interface Part extends Required<Pick<Given, 'isChargeback' | 'tax' | 'rows'>> {
  readonly before: number
  readonly after: number
  readonly isWhole: boolean
}

function takePart(books: Books, payment: Payment, { before, after, isWhole, isChargeback, tax, rows }: Part): void {
  const share = (paise: number) => Math.floor((payment.credits * paise) / payment.paise)
  const due = Math.max(share(after) - share(before), rows.length)
  const lots = books.lots.filter(({ sale }) => sale === payment.id)
  const isOfSale = (row: Row) => lots.some(({ id }) => id === row.charge?.lot)
  giveBack(books, rows, 'money_back')
  const short = due - lots.reduce((sum, lot) => sum + left(lot), 0)
  const held = newestFirst(
    books,
    rowsOf(books).filter((row) => isOfSale(row) && isHeld(row)),
  )
  giveBack(books, isWhole ? held : held.slice(0, Math.max(short, 0)), 'money_back')
  if (isWhole)
    for (const row of rowsOf(books).filter(isOfSale))
      row.isWithdrawn ||= row.refunded === null || row.refunded === 'money_back'
  if (isChargeback) earn(books, lots)
  takeCredits(lots, due)
  bookBack(books, lots[0] ?? lotOf(books, -1), after - before - tax, tax, isChargeback)
}

function newestFirst(books: Books, rows: readonly Row[]): Row[] {
  const place = (row: Row) => books.orders.find((order) => order.rows.includes(row))?.rows.indexOf(row) ?? 0
  return rows.toSorted(
    (one, other) => (other.charge?.number ?? 0) - (one.charge?.number ?? 0) || place(other) - place(one),
  )
}

/** Of this sale alone: its own lot first, then what of it lived on. */
function takeCredits(lots: readonly Lot[], due: number): void {
  let wanted = due
  for (const lot of lots) {
    const gone = Math.min(wanted, left(lot))
    lot.total -= gone
    wanted -= gone
  }
}

/** What is not earned first; of the rest a refund takes what lapsed and then what was spent, a chargeback leaves a debt. */
function bookBack(books: Books, lot: Lot, net: number, tax: number, isChargeback: boolean): void {
  move(books, 'payments', 'refunds', net)
  move(books, 'payments', 'taxes', tax)
  const unearned = Math.min(net, lot.paid - lot.earned)
  move(books, 'refunds', 'unearned', unearned)
  lot.paid -= unearned
  const rest = net - unearned
  if (isChargeback) {
    move(books, 'refunds', 'receivables', rest)
    return
  }
  const broken = Math.min(rest, lot.broken)
  move(books, 'refunds', 'breakage', broken)
  move(books, 'refunds', 'earned', rest - broken)
  lot.broken -= broken
  lot.paid -= rest
  lot.earned -= rest
}
