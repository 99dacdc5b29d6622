/**
 * Settles the payment of a purchase of credits or time: the credits are granted in a lot with their own end, or a
 * term begins; the money, its tax and the processor's fee are booked, the invoice is issued, and the buyer is notified,
 * all in the caller's transaction. Idempotent. A second payment for one purchase grants what was bought once more, and is shown to
 * operators.
 */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { announce } from '../../notify/announce.ts'
import { accessSold, creditsSold, issueInvoice } from '../invoices/issue-invoice.ts'
import { bookMoney, sellCredits } from '../ledger-money.ts'
import { ProductTerms } from '../subscriptions/products.ts'
import { addTerm } from '../subscriptions/terms.ts'
import { splitTax } from '../tax.ts'
import type { PaymentNotice, PaymentOrder, PaymentProcessor } from './processor.ts'
import { takePayment } from './take-payment.ts'

export interface SettledCheckout {
  readonly outcome: 'paid' | 'known' | 'credited'
  readonly orderId: string
}

interface Waiting {
  readonly id: string
  readonly accountId: string
  readonly product: string
  readonly credits: number
  readonly validDays: number | null
  readonly payment: PaymentOrder
  /** For a plan or offer. */
  readonly terms: unknown
}

/** @returns undefined if the payment is not for a purchase. @throws AppError CONFLICT for another sum. */
export async function settleCheckout(
  tx: Tx,
  { provider, seller }: Pick<PaymentProcessor, 'provider' | 'seller'>,
  notice: PaymentNotice,
): Promise<SettledCheckout | undefined> {
  const found = await hold(tx, provider, notice.paymentOrderId)
  if (!found) return undefined
  const { id, accountId, payment } = found
  if (!(await takePayment(tx, provider, notice, { purchase: id }, payment))) return { outcome: 'known', orderId: id }
  const reference = `payment:${provider}:${notice.paymentId}`
  const parts = splitTax(notice.amount)
  const terms = found.terms === null ? null : ProductTerms.parse(found.terms)
  const description = await handOver(
    tx,
    { ...found, terms },
    {
      reference,
      ...parts,
      fee: notice.fee,
      feeTax: notice.feeTax,
      paid: notice.amount,
    },
  )
  const moved = await tx.execute(
    `UPDATE orders.checkout SET status = 'paid', paid_at = now() WHERE checkout_id = $1 AND status IN ('pending', 'expired')`,
    [id],
  )
  const lines = [{ description, quantity: terms === null ? found.credits : null, net: parts.net }]
  const invoice = await issueInvoice(tx, seller, { accountId, reference, description, lines, ...parts })
  const { product, credits } = found
  const kind = terms?.kind ?? ('credits' as const)
  const data = { purchase_id: id, kind, product, credits, amount: notice.amount, invoice }
  const mail = { ...data, description, is_second: moved === 0 }
  await announce(tx, accountId, 'purchase.paid', data, { about: notice.paymentId, data: mail })
  return { outcome: moved === 0 ? 'credited' : 'paid', orderId: id }
}

interface Paid {
  readonly reference: string
  readonly net: number
  readonly tax: number
  readonly fee: number
  readonly feeTax: number
  /** Paise, tax included. */
  readonly paid: number
}

/** @returns its description on the invoice. */
async function handOver(
  tx: Tx,
  { accountId, credits, validDays, terms }: Waiting & { readonly terms: ProductTerms | null },
  { paid, ...money }: Paid,
): Promise<string> {
  const actor = `account:${accountId}` as const
  if (terms === null) {
    const endsAt = validDays === null ? null : await dayAfter(tx, validDays)
    await sellCredits(tx, accountId, { credits, endsAt, ...money, actor, memo: 'credits bought online' })
    return creditsSold(credits)
  }
  const term = { accountId, terms, paidWith: 'online', price: paid, reference: money.reference, actor } as const
  const { lotId, transferId: setId, ...days } = await addTerm(tx, term)
  if (lotId === null) throw new Error('a term that was paid for has no lot for its money')
  await bookMoney(tx, accountId, { ...money, lotId, setId, actor, memo: `${terms.name} bought online` })
  return accessSold(terms.name, days)
}

async function hold(tx: Tx, provider: string, paymentOrderId: string): Promise<Waiting | undefined> {
  const byPayment = 'checkout_id = orders.checkout_of_payment($1, $2)'
  await tx.query(
    sql`SELECT FROM access.account WHERE account_id = (SELECT account_id FROM orders.checkout WHERE ${byPayment})
     FOR NO KEY UPDATE`,
    [provider, paymentOrderId],
  )
  const [found] = await tx.query<Waiting>(
    sql`SELECT checkout_id AS id, account_id AS "accountId", product, credits, valid_days AS "validDays", payment, terms
     FROM orders.checkout WHERE ${byPayment} FOR UPDATE`,
    [provider, paymentOrderId],
  )
  return found
}

/** Midnight in India after this many days, by the database's clock. */
async function dayAfter(tx: Tx, days: number): Promise<Date> {
  const [row] = await tx.query<{ end: Date }>(
    'SELECT runtime.indian_midnight(runtime.indian_day(now()) + $1::integer + 1) AS "end"',
    [days],
  )
  if (!row) throw new Error('the database returned no day')
  return row.end
}
