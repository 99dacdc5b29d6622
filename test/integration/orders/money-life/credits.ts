/** How credits move in the model: taken from the lots that end first, given back into the lot that they came from, let go at its end. */
import {
  type Books,
  isHeld,
  isSameEnd,
  type Lot,
  left,
  lotOf,
  midnightAfter,
  openLot,
  type Reason,
  type Row,
  rowsOf,
  stands,
} from './books.ts'

const ownedDays = 30
const liveOnDays = 30

export const owns = ({ orders, now }: Books, serial: number): boolean =>
  orders.some(
    ({ state, paidAt, rows }) =>
      state === 'paid' && paidAt > now - ownedDays && rows.some((row) => row.serial === serial && stands(row)),
  )

export const available = ({ lots, now }: Books): number =>
  lots.filter(({ end }) => end > now).reduce((sum, lot) => sum + left(lot), 0)

export function lapse({ lots, now }: Books): void {
  for (const lot of lots.filter(({ end }) => end <= now)) {
    lot.lapsed += left(lot)
    lot.total = lot.used
  }
}

/** A charge per lot; the rows in their order. */
export function charge(books: Books, rows: readonly Row[], own?: Lot): void {
  if (!own) lapse(books)
  const open = own
    ? [own]
    : books.lots.toSorted((one, other) => (isSameEnd(one.end, other.end) ? one.id - other.id : one.end - other.end))
  const waiting = rows.values()
  let due = rows.length
  for (const lot of open) {
    const taken = Math.min(due, left(lot))
    if (taken === 0) continue
    due -= taken
    books.charges += 1
    for (let n = 0; n < taken; n++) {
      const { value: row } = waiting.next()
      if (!row) throw new Error('more credits than rows')
      row.charge = { lot: lot.id, at: books.now, number: books.charges, isHold: books.holds }
    }
    lot.used += taken
    if (books.holds) lot.held += taken
  }
  if (due > 0) throw new Error('the model has too few credits')
}

/** How many credits more were had of the sale of a lot than the money pays for that stayed. */
function lacking({ lots, payments }: Books, { sale }: Lot): number {
  const payment = payments.find(({ id }) => id === sale)
  const back = payment?.backs.reduce((sum, { paise }) => sum + paise, 0) ?? 0
  if (!payment || back === 0) return 0
  const gone = Math.floor((payment.credits * Math.min(back, payment.paise)) / payment.paise)
  const had = lots.filter((lot) => lot.sale === sale).reduce((sum, { total }) => sum + total, 0)
  return Math.max(0, had - (payment.credits - gone))
}

/** @returns those whose credit came back; where it went with money that went back before, the row is not among them. */
export function giveBack(books: Books, rows: readonly Row[], reason: Reason): Row[] {
  const back: Row[] = []
  const late = new Map<number, number>()
  for (const row of rows.filter(stands)) {
    const paid = row.charge
    if (!paid) throw new Error('a row that stands was charged')
    const lot = lotOf(books, paid.lot)
    if (isHeld(row)) lot.held -= 1
    lot.used -= 1
    if (reason !== 'money_back' && lacking(books, lot) > 0) {
      lot.total -= 1
      row.refunded = 'money_back'
      continue
    }
    row.refunded = reason
    back.push(row)
    const isLate = lot.end <= books.now || (lot.end < books.now + liveOnDays && paid.at < books.now - 1)
    if (isLate && reason !== 'money_back') late.set(lot.id, (late.get(lot.id) ?? 0) + 1)
  }
  // What would be gone before it can be spent lives on, in a lot of its own end.
  for (const id of [...late.keys()].sort((one, other) => one - other)) {
    const ended = lotOf(books, id)
    const credits = late.get(id) ?? 0
    ended.total -= credits
    openLot(books, ended.type, midnightAfter(books, liveOnDays), ended.sale).total += credits
  }
  return back
}

export function settle(books: Books, rows: readonly Row[]): void {
  for (const row of rows.filter(isHeld)) {
    row.isSettled = true
    lotOf(books, row.charge?.lot ?? -1).held -= 1
  }
}

/** After each step: what came without a charge stands by the charge that made it owned. */
export function withdrawCopies(books: Books): void {
  const standing = new Set(
    books.orders.flatMap(({ state, rows }) =>
      state === 'paid' ? rows.filter(stands).map(({ serial }) => serial) : [],
    ),
  )
  for (const row of rowsOf(books)) row.isWithdrawn ||= row.owned && !standing.has(row.serial)
}
