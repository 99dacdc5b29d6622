/** An account hears once that its credits run low: when what it spends takes its balance below the bound, and not while it stays there. */
import { lowCredits } from '../../config/sales.ts'
import type { Queryable } from '../db/db.ts'
import { announce } from '../notify/announce.ts'
import { creditBalance } from './ledger.ts'

/** @param spent in this transaction, less what came back. */
export async function announceLowCredits(tx: Queryable, accountId: string, spent: number): Promise<void> {
  if (spent <= 0) return
  const balance = await creditBalance(tx, accountId)
  if (balance >= lowCredits || balance + spent < lowCredits) return
  await announce(tx, accountId, 'credits.low', { balance, below: lowCredits }, { about: 'credits' })
}
