/** Whom the invoices of an account name from now on; those that were issued stay as they are. Told twice, it stays as it is. */
import type { Queryable } from '../db/db.ts'
import { type BillingDetails, readBillingDetails } from '../domain/billing-details.ts'
import { AppError } from '../errors.ts'

/** @throws AppError UNPROCESSABLE with the member that is wrong, NOT_FOUND for an account that was erased. */
export async function setBillingDetails(
  db: Queryable,
  accountId: string,
  told: Parameters<typeof readBillingDetails>[0],
): Promise<BillingDetails> {
  const reading = readBillingDetails(told)
  if (!reading.ok) throw new AppError('UNPROCESSABLE', reading.message, { extra: { member: reading.member } })
  const kept = await db.execute(
    'UPDATE access.account SET billing = $2::jsonb WHERE account_id = $1 AND erased_at IS NULL',
    [accountId, JSON.stringify(reading.details)],
  )
  if (kept === 0) throw new AppError('NOT_FOUND', 'No such account.')
  return reading.details
}

/** @returns null until they are told. */
export async function readBillingDetailsOf(db: Queryable, accountId: string): Promise<BillingDetails | null> {
  const [account] = await db.query<{ billing: BillingDetails | null }>(
    'SELECT billing FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return account?.billing ?? null
}
