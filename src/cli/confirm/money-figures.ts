/** What is refunded to buyers, what is booked as a loss, and which month is closed. */
import { findDebtorId } from '../../access/accounts.ts'
import { counted } from '../../domain/counted.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { isUuid } from '../../domain/uuid.ts'
import { explainOrder } from '../../orders/find-orders.ts'
import { readMonthReport } from '../../orders/month/month-report.ts'
import { listPaymentsFor } from '../../orders/payments/payment-left.ts'
import { listReceivables } from '../../orders/receivables.ts'
import { readStanding } from '../../standing/standing-order.ts'
import type { Figures } from './figures.ts'

export const ofOrder: Figures = async ({ db, args: [id = ''], options }) => {
  const { order, items } = await explainOrder(db, id)
  const charged = items.filter((item) => item.charged && (options.items?.includes(item.index) ?? true))
  return `Order ${order.orderId} of ${order.email}: this refunds the credits of ${counted(charged.length, 'charged item')}, of ${counted(items.length, 'item')}.`
}

/** Where no payment or several match, the command itself reports it. */
export const ofPayment: Figures = async ({ db, args: [of = ''], options }) => {
  const [payment, another] = await listPaymentsFor(db, of)
  if (!payment || another) return undefined
  const { amount, items } = options
  const some = items ? `the price of ${counted(items.length, 'item')}` : shownRupees(payment.left)
  const back = amount === undefined ? some : shownRupees(amount)
  return `Payment ${payment.id} of ${payment.email}: this refunds ${back}; of ${shownRupees(payment.amount)} paid, ${shownRupees(payment.left)} are left.`
}

export const ofDebt: Figures = async ({ db, args: [user = ''], options }) => {
  const accountId = await findDebtorId(db, user)
  const debt = (await listReceivables(db)).find((each) => each.user_id === accountId)
  const owed = debt?.owed ?? 0
  const loss = options.amount ?? owed
  return `${debt?.email ?? user} owes ${shownRupees(owed)}; ${shownRupees(loss)} are booked as a loss.`
}

export const ofStandingOrder: Figures = async ({ db, args: [id = ''] }) => {
  const { name, state, spent } = await readStanding(db, null, id)
  return `Standing order ${name}, ${state}: it has spent ${counted(spent.total, 'credit')}. It ends for good; what it bought is kept.`
}

export const ofSubscription: Figures = async ({ db, path, args: [id = ''], options }) => {
  if (!isUuid(id)) return undefined
  const [held] = await db.query<{ email: string; product: string; ends_at: Date; terms: number }>(
    `SELECT email, product, ends_at, (SELECT count(*) FROM access.subscription_term AS t
              WHERE t.subscription_id = subscription.subscription_id AND taken_back_at IS NULL) AS terms
     FROM access.subscription JOIN access.account USING (account_id) WHERE subscription_id = $1`,
    [id],
  )
  if (!held) return undefined
  const which = options.term === undefined ? 'its last term' : `term ${options.term}`
  const act = path === 'subscription refund' ? `${which} goes back` : 'it is not renewed and has no grace period'
  return `Subscription of ${held.email}: ${held.product}, ${counted(held.terms, 'term')}, until ${shownInstant(held.ends_at)}; ${act}.`
}

export const ofMonth: Figures = async ({ db, args: [name = ''] }) => {
  const { month, sold, revenue, deferred, refunds } = await readMonthReport(db, name)
  const figures = `sold ${shownRupees(sold)}, revenue ${shownRupees(revenue)}, deferred ${shownRupees(deferred)}, refunds ${shownRupees(refunds)}`
  return `${month}: ${figures}. Once it is closed, nothing more is booked in it, and it cannot be reopened.`
}
