/**
 * The billing details on an account's future invoices; issued invoices do not change. Setting the same details again
 * changes nothing.
 */
import type { Db, Queryable } from '../db/db.ts'
import { requireRevision, revisionOf } from '../db/revision.ts'
import { type BillingDetails, readBillingDetails } from '../domain/billing-details.ts'
import { AppError } from '../errors.ts'

/**
 * @param read the revision that the caller read; without it, any revision is replaced. @throws AppError UNPROCESSABLE
 * with the invalid member, NOT_FOUND for an erased account, CONFLICT.
 */
export async function setBillingDetails(
  db: Db,
  accountId: string,
  given: Parameters<typeof readBillingDetails>[0],
  read?: string,
): Promise<BillingDetails> {
  const reading = readBillingDetails(given)
  if (!reading.ok) throw new AppError('UNPROCESSABLE', reading.message, { extra: { member: reading.member } })
  await db.transaction(async (tx) => {
    const [account] = await tx.query<{ billing: BillingDetails | null }>(
      'SELECT billing FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR UPDATE',
      [accountId],
    )
    if (!account) throw new AppError('NOT_FOUND', 'No such account.')
    requireRevision('Your billing details were', revisionOf(account.billing), read)
    await tx.execute('UPDATE access.account SET billing = $2::jsonb WHERE account_id = $1', [
      accountId,
      JSON.stringify(reading.details),
    ])
  })
  return reading.details
}

/** @returns null until they are set. */
export async function readBillingDetailsOf(db: Queryable, accountId: string): Promise<BillingDetails | null> {
  const [account] = await db.query<{ billing: BillingDetails | null }>(
    'SELECT billing FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return account?.billing ?? null
}
