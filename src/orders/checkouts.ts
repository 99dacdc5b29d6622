/**
 * Online purchases other than orders, of credits or time. A purchase waits for its payment; when that arrives, one
 * transaction grants what was bought, books the money, tax and fee, and issues the invoice
 * (payments/settle-checkout.ts).
 */
import { randomUUID } from 'node:crypto'
import { pendingPayments } from '../../config/plans.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { requireSeller } from './invoices/issue-invoice.ts'
import { recordAsked } from './payments/payment-events.ts'
import type { PaymentOrder, PaymentProcessor } from './payments/processor.ts'
import type { ProductTerms } from './subscriptions/products.ts'

export const checkoutStates = ['pending', 'paid', 'refunded', 'expired'] as const

export interface Checkout {
  readonly checkoutId: string
  /** An id from config/plans.ts. */
  readonly product: string
  readonly kind: 'credits' | 'plan' | 'offer'
  /** Of the plan or offer, as it was sold; null for credits. */
  readonly name: string | null
  readonly credits: number
  /** Paise, tax included. */
  readonly amount: number
  readonly status: (typeof checkoutStates)[number]
  readonly payment: PaymentOrder | null
  readonly createdAt: Date
  readonly paidAt: Date | null
}

export interface Wanted {
  readonly product: string
  readonly credits: number
  /** Paise, tax included. */
  readonly amount: number
  /** Validity of bought credits. */
  readonly validDays: number | null
  /** For a plan or offer. */
  readonly terms: ProductTerms | null
}

const columns = `checkout_id AS "checkoutId", product, coalesce(terms ->> 'kind', 'credits') AS kind, terms ->> 'name' AS name,
  credits, amount, status, payment, created_at AS "createdAt", paid_at AS "paidAt"`

/** @throws AppError NOT_FOUND, QUOTA_EXCEEDED, SELLER_MISSING, BAD_REQUEST if no processor is configured. */
export async function beginCheckout<T>(
  db: Db,
  processor: PaymentProcessor | undefined,
  accountId: string,
  wanted: Wanted,
  finish: (tx: Tx, checkout: Checkout) => Promise<T>,
): Promise<T> {
  if (!processor) {
    throw new AppError('BAD_REQUEST', 'No online payment processor is configured here.', {
      extra: { reason: 'online_payment_not_configured' },
    })
  }
  requireSeller(processor.seller)
  await requireRoom(db, accountId)
  const checkoutId = randomUUID()
  const { product, credits, amount, validDays, terms } = wanted
  // Outside the transaction, which must not wait for others. If the process stops in between, the payment order is
  // never paid.
  const payment = await processor.begin({ orderId: checkoutId, amount })
  return db.transaction(async (tx) => {
    await holdQuotaAccount(tx, accountId)
    await requireRoom(tx, accountId)
    const [checkout] = await tx.query<Checkout>(
      sql`INSERT INTO orders.checkout
         (checkout_id, account_id, product, credits, valid_days, amount, payment, terms)
       SELECT $1, account_id, $3, $4, $5, $6, $7, $8 FROM access.account
       WHERE account_id = $2 AND erased_at IS NULL FOR KEY SHARE RETURNING ${columns}`,
      [
        ...[checkoutId, accountId, product, credits, validDays, amount, JSON.stringify(payment)],
        terms === null ? null : JSON.stringify(terms),
      ],
    )
    if (!checkout) throw new AppError('NOT_FOUND', 'No such account.')
    await recordAsked(tx, checkoutId, payment)
    return finish(tx, checkout)
  })
}

/** @throws AppError NOT_FOUND, also for purchases of other accounts. */
export async function readCheckout(db: Queryable, accountId: string, checkoutId: string): Promise<Checkout> {
  const [checkout] = isUuid(checkoutId)
    ? await db.query<Checkout>(sql`SELECT ${columns} FROM orders.checkout WHERE checkout_id = $1 AND account_id = $2`, [
        checkoutId,
        accountId,
      ])
    : []
  if (!checkout) throw new AppError('NOT_FOUND', 'There is no such purchase.')
  return checkout
}

export interface CheckoutFilter {
  readonly status?: Checkout['status'] | undefined
  readonly page: number
  readonly limit: number
}

/** Newest first. */
export async function listCheckouts(
  db: Queryable,
  accountId: string,
  { status, page, limit }: CheckoutFilter,
): Promise<{ checkouts: Checkout[]; total: number }> {
  const where = sql`FROM orders.checkout WHERE account_id = $1 AND ($2::text IS NULL OR status = $2)`
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${where}`, [
    accountId,
    status ?? null,
  ])
  const checkouts = await db.query<Checkout>(
    sql`SELECT ${columns} ${where} ORDER BY created_at DESC, checkout_id LIMIT $3 OFFSET $4`,
    [accountId, status ?? null, limit, (page - 1) * limit],
  )
  return { checkouts, total: counted?.total ?? 0 }
}

async function requireRoom(db: Queryable, accountId: string): Promise<void> {
  const [row] = await db.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM orders.checkout WHERE account_id = $1 AND status = 'pending'`,
    [accountId],
  )
  const used = row?.waiting ?? 0
  const limit = pendingPayments.purchasesMax
  if (used < limit) return
  const ends = `each ends ${pendingPayments.endAfterHours} hours after it was begun`
  throw refusedBy(
    'pendingPurchases',
    `At most ${limit} purchases wait for their payment; there are ${used} now. Pay them, or wait: ${ends}.`,
    { extra: { quota: 'pendingPurchases', limit, used } },
  )
}
