/** What the nightly job makes of rows whose credits are held for long, in the model. */
import { type Books, isHeld, type Row, rowsOf } from './books.ts'
import { giveBack, settle } from './credits.ts'

const month = 30
const longest = 90
/** Refusals that are released without an operator: at most so many, unless they are at most such a share. */
const refusals = { rows: 10, share: 0.1 }

export function closeDay(books: Books): void {
  const { now } = books
  const isRefused = ({ delivery }: Row) => delivery?.state === 'rejected' && delivery.at < now - month
  const waiting = rowsOf(books).filter((row) => isHeld(row) && isRefused(row) && row.report === null)
  if (isSuspicious(books, waiting)) for (const row of waiting) row.report = { state: 'open', by: 'system' }
  else giveBack(books, waiting, 'refused')
  const since = (row: Row, days: number) => (row.charge?.at ?? now) < now - days
  settle(
    books,
    rowsOf(books).filter((row) => {
      if (!isHeld(row) || !since(row, month) || row.report?.state === 'open') return false
      if (isRefused(row)) return row.report?.state === 'rejected'
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
export function expireUnpaid({ orders, now }: Books): void {
  for (const order of orders) if (order.state === 'pending' && order.paidAt < now - 2) order.state = 'expired'
}
