/** What the nightly job does, in the model: rows whose credits are held for long, credits that end, income, and orders that nobody paid. */
import { type Books, isHeld, type Row, rowsOf } from './books.ts'
import { giveBack, lapse, settle, withdrawCopies } from './credits.ts'
import { earn } from './rupees.ts'

const month = 30
const longest = 90
/** Refusals that are released without an operator: at most so many, unless they are at most such a share. */
const refusals = { rows: 10, share: 0.1 }

/** One transaction after the other, so that something else may happen between any two of them. */
export const nightlySteps: readonly ((books: Books) => void)[] = [
  releaseRefused,
  settleUndelivered,
  lapse,
  earn,
  expireUnpaid,
].map((step) => (books) => {
  step(books)
  withdrawCopies(books)
})

const isRefused = ({ now }: Books, { delivery }: Row): boolean =>
  delivery?.state === 'rejected' && delivery.at < now - month

function releaseRefused(books: Books): void {
  const waiting = rowsOf(books).filter((row) => isHeld(row) && isRefused(books, row) && row.report === null)
  if (isSuspicious(books, waiting)) for (const row of waiting) row.report = { state: 'open', by: 'system' }
  else giveBack(books, waiting, 'refused')
}

function settleUndelivered(books: Books): void {
  const { now } = books
  const since = (row: Row, days: number) => (row.charge?.at ?? now) < now - days
  settle(
    books,
    rowsOf(books).filter((row) => {
      if (!isHeld(row) || !since(row, month) || row.report?.state === 'open') return false
      if (isRefused(books, row)) return row.report?.state === 'rejected'
      return row.delivery === null || (since(row, longest) && row.delivery.state !== 'rejected')
    }),
  )
}

function isSuspicious(books: Books, waiting: readonly Row[]): boolean {
  const held = rowsOf(books).filter(({ charge }) => charge?.isHold === true && charge.at > books.now - longest)
  const told = held.filter(({ refunded, report }) => refunded === 'refused' || report?.by === 'system').length
  const all = waiting.length + told
  return waiting.length > 0 && all > refusals.rows && all > refusals.share * held.length
}

/** An order that nobody paid within 48 hours. */
function expireUnpaid({ orders, now }: Books): void {
  for (const order of orders) if (order.state === 'pending' && order.paidAt < now - 2) order.state = 'expired'
}
