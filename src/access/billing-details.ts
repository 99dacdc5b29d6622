/**
 * The billing details on an account's future invoices; issued invoices do not change. Setting the same details again
 * changes nothing.
 */
import { audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { requireRevision, revisionOf } from '../db/revision.ts'
import { accountRoleAllows } from '../domain/account-role.ts'
import { type BillingDetails, readBillingDetails } from '../domain/billing-details.ts'
import { AppError } from '../errors.ts'
import type { ActingPerson } from './people.ts'

export interface BillingChange {
  /** The revision that the caller read; without it, any revision is replaced. */
  readonly read?: string | undefined
  /** A person who orders with them: buyers enter details where there are none, and only admins change them. */
  readonly by?: ActingPerson | null
  /** Entered with a purchase, which has its own row in the audit log. */
  readonly isBeside?: boolean
}

/** @throws AppError UNPROCESSABLE with the invalid member */
export function checkedBillingDetails(given: Parameters<typeof readBillingDetails>[0]): BillingDetails {
  const reading = readBillingDetails(given)
  if (reading.ok) return reading.details
  throw new AppError('UNPROCESSABLE', reading.message, { extra: { member: reading.member } })
}

/**
 * Locks the account, as a payment does, so the caller has locked nothing of its ledger before. @throws AppError
 * NOT_FOUND for an erased account, CONFLICT, ROLE_MISSING.
 */
export async function setBillingDetails(
  tx: Tx,
  accountId: string,
  details: BillingDetails,
  { read, by = null, isBeside = false }: BillingChange = {},
): Promise<void> {
  const values = [accountId, JSON.stringify(details)]
  const [account] = await tx.query<{ billing: BillingDetails | null; isSame: boolean }>(
    `SELECT billing, billing IS NOT DISTINCT FROM $2::jsonb AS "isSame"
     FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR NO KEY UPDATE`,
    values,
  )
  if (!account) throw new AppError('NOT_FOUND', 'No such account.')
  requireRevision('Your billing details were', revisionOf(account.billing), read)
  if (account.isSame) return
  if (account.billing !== null && by && !accountRoleAllows(by.role, 'admin')) throw adminChangesThem()
  await tx.execute('UPDATE access.account SET billing = $2::jsonb WHERE account_id = $1', values)
  const actor = `account:${accountId}` as const
  await audit(tx, { actor, action: 'set billing details', subject: accountId, isBeside })
}

/** @returns null until they are set. */
export async function readBillingDetailsOf(db: Queryable, accountId: string): Promise<BillingDetails | null> {
  const [account] = await db.query<{ billing: BillingDetails | null }>(
    'SELECT billing FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return account?.billing ?? null
}

const adminChangesThem = (): AppError =>
  new AppError(
    'ROLE_MISSING',
    'Only an admin changes the billing details of the account. Leave out billing, or send it as it is stored.',
    { extra: { needed_role: 'admin' } },
  )
