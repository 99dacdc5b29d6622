/**
 * Announces low credits once, when a spend takes the balance below the threshold, and not again while it stays there.
 */
import { lowCredits } from '../../config/sales.ts'
import type { Queryable } from '../db/db.ts'
import { announce } from '../notify/announce.ts'
import { creditBalance } from './ledger.ts'

/** @param spent credits in this transaction, less refunds. */
export async function announceLowCredits(tx: Queryable, accountId: string, spent: number): Promise<void> {
  if (spent <= 0) return
  const balance = await creditBalance(tx, accountId)
  if (balance >= lowCredits || balance + spent < lowCredits) return
  await announce(tx, accountId, 'credits.low', { balance, below: lowCredits }, { about: 'credits' })
}
