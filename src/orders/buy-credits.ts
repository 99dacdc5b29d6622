/** Begins the online purchase of a credit pack; the credits are granted when its payment arrives. */
import { type CreditPack, creditPacks } from '../../config/sales.ts'
import type { Db, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { beginCheckout, type Checkout } from './checkouts.ts'
import type { PaymentProcessor } from './payments/processor.ts'

/** @throws AppError NOT_FOUND, and as `beginCheckout`. */
export async function buyCredits<T>(
  db: Db,
  processor: PaymentProcessor | undefined,
  accountId: string,
  packId: string,
  finish: (tx: Tx, checkout: Checkout) => Promise<T>,
): Promise<T> {
  const { id: product, credits, amount, validDays } = packOf(packId)
  return beginCheckout(db, processor, accountId, { product, credits, amount, validDays, terms: null }, finish)
}

function packOf(id: string): CreditPack {
  const pack = creditPacks.find((each) => each.id === id)
  if (!pack) throw new AppError('NOT_FOUND', 'There is no credit pack of this id. See GET /api/credits/packs.')
  return pack
}
