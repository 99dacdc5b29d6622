/** Begins the online purchase of a plan or offer; its payment begins or renews the subscription. */
import type { Db, Tx } from '../db/db.ts'
import { beginCheckout, type Checkout } from './checkouts.ts'
import type { PaymentProcessor } from './payments/processor.ts'
import type { Product } from './subscriptions/products.ts'

/** @throws AppError as `beginCheckout`. */
export function buyTermOnline<T>(
  db: Db,
  processor: PaymentProcessor | undefined,
  accountId: string,
  { amount, terms: offered }: Product,
  finish: (tx: Tx, checkout: Checkout) => Promise<T>,
): Promise<T> {
  // No card is stored, so a payment does not change automatic renewal; version 0.1.0 cannot read terms without this
  // member.
  const terms = { ...offered, autoRenew: false }
  const { id: product, credits } = terms
  return beginCheckout(db, processor, accountId, { product, credits, amount, validDays: null, terms }, finish)
}
