/**
 * Destinations of one account that lead into the same CRM account. This can be intended, so it is allowed, with a
 * notice that a lead sent to both is written twice there. Destinations of other accounts are never disclosed.
 */
import { sql } from '../../db/sql.ts'

/** For the row of `deliver.destination` that is read. */
export const sharingNames = sql`ARRAY(
  SELECT other.name FROM deliver.destination other
  WHERE other.account_id = destination.account_id AND other.connector = destination.connector
    AND other.verified_account = destination.verified_account AND other.destination_id <> destination.destination_id
    AND other.status <> 'removed'
  ORDER BY other.created_at, other.destination_id)`

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })

interface Shared {
  readonly verifiedAccount: string | null
  readonly sharedWith: readonly string[]
}

/** @returns null if no other destination of the account leads there. */
export function sharingNotice({ verifiedAccount, sharedWith }: Shared): string | null {
  if (verifiedAccount === null || sharedWith.length === 0) return null
  const names = listed.format(sharedWith.map((name) => `“${name}”`))
  return (
    `${names} ${sharedWith.length === 1 ? 'leads' : 'lead'} into ${verifiedAccount}, too. A lead that goes to both is sent there twice, ` +
    'and they share the calls that the CRM allows in a day. Remove one if you did not mean it.'
  )
}
