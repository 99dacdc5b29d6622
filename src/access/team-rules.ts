/**
 * The rules of an account for its people. They apply from the next call on: a person without a second factor must then
 * add one before anything else.
 */
import { audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Decider, requireScopesOf } from './manage-people.ts'
import { hasPersonFactor } from './person-factor.ts'

export async function isFactorRequired(db: Queryable, accountId: string): Promise<boolean> {
  const [account] = await db.query<{ required: boolean }>(
    'SELECT second_factor_required AS required FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return account?.required ?? false
}

/** Applies to admins too. */
export interface FactorRule extends Decider {
  readonly required: boolean
  /** The person who sets it; null for a program with an API key. */
  readonly personId: string | null
}

/** @throws AppError SCOPE_MISSING, CONFLICT for a person who requires what they lack themselves. */
export async function requireFactorOfAll(
  tx: Tx,
  accountId: string,
  { required, personId, ...by }: FactorRule,
): Promise<void> {
  requireScopesOf(['admin'], by)
  if (required && personId !== null && !(await hasPersonFactor(tx, personId)))
    throw new AppError('CONFLICT', 'Add a second factor yourself first, so that you can still sign in.')
  const changed = await tx.execute(
    'UPDATE access.account SET second_factor_required = $2 WHERE account_id = $1 AND second_factor_required <> $2',
    [accountId, required],
  )
  if (changed === 0) return
  const action = required ? 'require second factor' : 'no longer require second factor'
  await audit(tx, { actor: by.actor, action, subject: accountId })
}
