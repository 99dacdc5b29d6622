/** A plan or offer goes in; a purchase that waits for its payment comes out, which begins or renews the subscription. */
import type { Db, Tx } from '../db/db.ts'
import { beginCheckout, type Checkout } from './checkouts.ts'
import type { PaymentProcessor } from './payments/processor.ts'
import type { Product } from './subscriptions/products.ts'

/** @throws AppError as `beginCheckout`. */
export function buyTermOnline<T>(
  db: Db,
  processor: PaymentProcessor | undefined,
  accountId: string,
  { amount, terms: asked }: Product,
  finish: (tx: Tx, checkout: Checkout) => Promise<T>,
): Promise<T> {
  // Nobody's card is held here, so the payment leaves automatic renewal as it is; 0.1.0 reads no terms without the word.
  const terms = { ...asked, autoRenew: false }
  const { id: product, credits } = terms
  return beginCheckout(db, processor, accountId, { product, credits, amount, validDays: null, terms }, finish)
}
