/** What is refunded to buyers, what is booked as a loss, and which month is closed. */
import type { Db } from '../../db/db.ts'
import { counted } from '../../domain/counted.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
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

/** With the paise that are shown, for the request to write off no more. */
export async function debtFigures(
  db: Db,
  accountId: string,
  amount: number | undefined,
): Promise<{ readonly loss: number; readonly text: string }> {
  const debt = (await listReceivables(db)).find((each) => each.user_id === accountId)
  if (!debt) throw new AppError('CONFLICT', 'This account owes nothing.')
  const loss = amount ?? debt.owed
  const text = `${debt.email ?? accountId} owes ${shownRupees(debt.owed)}; ${shownRupees(loss)} are booked as a loss.`
  return { loss, text }
}

export const ofStandingOrder: Figures = async ({ db, args: [id = ''] }) => {
  const { name, state, spent } = await readStanding(db, null, id)
  return `Standing order ${name}, ${state}: it has spent ${counted(spent.total, 'credit')}. It ends for good; what it bought is kept.`
}

export const ofSubscription: Figures = async ({ db, args: [id = ''] }) => {
  const held = await readHeld(db, id)
  return held && `${heldText(held)}; it is not renewed and has no grace period.`
}

/** With the term that is shown, for the request to refund no other. @returns undefined where there is none to show. */
export async function termFigures(
  db: Db,
  subscriptionId: string,
  number: number | undefined,
): Promise<{ readonly term: number; readonly text: string } | undefined> {
  const held = await readHeld(db, subscriptionId)
  const term = number ?? held?.last
  if (!held || term == null) return undefined
  return { term, text: `${heldText(held)}; term ${term} goes back.` }
}

interface Held {
  readonly email: string
  readonly product: string
  readonly ends_at: Date
  /** Terms that were not reversed, and the number of the last; null where there is none. */
  readonly terms: number
  readonly last: number | null
}

async function readHeld(db: Db, subscriptionId: string): Promise<Held | undefined> {
  if (!isUuid(subscriptionId)) return undefined
  const [held] = await db.query<Held>(
    `SELECT email, product, ends_at, terms, last
     FROM access.subscription JOIN access.account USING (account_id)
       CROSS JOIN LATERAL (SELECT count(*) AS terms, max(number) AS last FROM access.subscription_term AS t
         WHERE t.subscription_id = subscription.subscription_id AND taken_back_at IS NULL) AS kept
     WHERE subscription_id = $1`,
    [subscriptionId],
  )
  return held
}

const heldText = ({ email, product, ends_at, terms }: Held): string =>
  `Subscription of ${email}: ${product}, ${counted(terms, 'term')}, until ${shownInstant(ends_at)}`

export const ofMonth: Figures = async ({ db, args: [name = ''] }) => {
  const { month, sold, revenue, deferred, refunds } = await readMonthReport(db, name)
  const figures = `sold ${shownRupees(sold)}, revenue ${shownRupees(revenue)}, deferred ${shownRupees(deferred)}, refunds ${shownRupees(refunds)}`
  return `${month}: ${figures}. Once it is closed, nothing more is booked in it, and it cannot be reopened.`
}
