/**
 * An operator's adjustment of an account's credits: adds some, in a lot of the given type and end, or takes some of
 * what is left. Applied once per reference; the entry and the audit log record who did it and why.
 */

import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import {
  type CreditType,
  creditBalance,
  type GrantTerms,
  grantCredits,
  type Movement,
  referenceTaken,
  revokeCredits,
} from './ledger.ts'

export interface Adjustment {
  /** Negative to take credits away. */
  readonly credits: number
  readonly reference: string
  readonly reason: string
  readonly type?: CreditType | undefined
  readonly endsAt?: Date | null | undefined
  readonly actor: 'operator' | `operator:${string}`
}

/**
 * @returns also the balance that can be spent now.
 * @throws AppError INSUFFICIENT_CREDITS if fewer are left than are taken, CONFLICT for a reference in use,
 * UNPROCESSABLE for credits whose last day is over.
 */
export async function adjustCredits(tx: Tx, accountId: string, adjustment: Adjustment): Promise<Movement> {
  const { credits, reference, reason, type, endsAt = null, actor } = adjustment
  const cause = { actor, memo: reason }
  const moved =
    credits > 0
      ? await add(
          tx,
          accountId,
          { credits, reference: `grant:${reference}` },
          { ...cause, type: type ?? 'granted', endsAt },
        )
      : await revokeCredits(tx, accountId, -credits, `revoke:${reference}`, { ...cause, type })
  if (moved.applied) {
    const detail = { credits, reference, balance: moved.balance, ...(type ? { type } : {}) }
    await audit(tx, { actor, action: 'adjust credits', subject: accountId, detail })
  }
  return { ...moved, balance: await creditBalance(tx, accountId) }
}

async function add(
  tx: Tx,
  accountId: string,
  { credits, reference }: { readonly credits: number; readonly reference: string },
  terms: GrantTerms & { readonly type: CreditType; readonly endsAt: Date | null },
): Promise<Movement> {
  const { lotId, ...moved } = await grantCredits(tx, accountId, credits, reference, terms)
  const [lot] = await tx.query<{ same: boolean; ended: boolean }>(
    `SELECT type = $2 AND ends_at IS NOT DISTINCT FROM $3 AS same, coalesce(ends_at <= now(), false) AS ended
     FROM ledger.lot WHERE lot_id = $1`,
    [lotId, terms.type, terms.endsAt],
  )
  if (!lot?.same) throw referenceTaken(reference)
  if (moved.applied && lot.ended) {
    const extra = { parameter: 'expires' }
    throw new AppError('UNPROCESSABLE', 'expires: that day is over in India, so the credits could not be spent.', {
      extra,
    })
  }
  return moved
}
