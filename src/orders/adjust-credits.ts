/**
 * An operator's hand on the credits of an account: more, in a lot of the type and end that are named, or fewer, taken from
 * what is left. Under one reference it happens once; who did it and why stands in the entry and in the audit log.
 */

import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/db.ts'
import { type CreditType, grantCredits, type Movement, revokeCredits } from './ledger.ts'

export interface Adjustment {
  /** Minus takes away. */
  readonly credits: number
  readonly reference: string
  readonly reason: string
  readonly type?: CreditType | undefined
  readonly endsAt?: Date | null | undefined
  readonly actor: 'operator' | `operator:${string}`
}

/** @throws AppError INSUFFICIENT_CREDITS when fewer are left than are taken, CONFLICT for a reference that was used. */
export async function adjustCredits(tx: Tx, accountId: string, adjustment: Adjustment): Promise<Movement> {
  const { credits, reference, reason, type, endsAt = null, actor } = adjustment
  const cause = { actor, memo: reason }
  const moved =
    credits > 0
      ? await grantCredits(tx, accountId, credits, `grant:${reference}`, { ...cause, type: type ?? 'granted', endsAt })
      : await revokeCredits(tx, accountId, -credits, `revoke:${reference}`, { ...cause, type })
  if (moved.applied) {
    const detail = { credits, reference, balance: moved.balance, ...(type ? { type } : {}) }
    await audit(tx, { actor, action: 'adjust credits', subject: accountId, detail })
  }
  return moved
}
