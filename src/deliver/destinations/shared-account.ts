/**
 * Destinations of one account that lead into the same account of a CRM. Some mean it, so none is refused; the others should know that
 * a lead of both is sent there twice. What other accounts connect is told to nobody.
 */
import { sql } from '../../db/sql.ts'

/** Of the row of `deliver.destination` that is read. */
export const sharingNames = sql`ARRAY(
  SELECT beside.name FROM deliver.destination beside
  WHERE beside.account_id = destination.account_id AND beside.connector = destination.connector
    AND beside.verified_account = destination.verified_account AND beside.destination_id <> destination.destination_id
    AND beside.status <> 'removed'
  ORDER BY beside.created_at, beside.destination_id)`

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })

interface Shared {
  readonly verifiedAccount: string | null
  readonly sharedWith: readonly string[]
}

/** @returns null where no other destination of its account leads there. */
export function sharingNotice({ verifiedAccount, sharedWith }: Shared): string | null {
  if (verifiedAccount === null || sharedWith.length === 0) return null
  const names = listed.format(sharedWith.map((name) => `“${name}”`))
  return (
    `${names} ${sharedWith.length === 1 ? 'leads' : 'lead'} into ${verifiedAccount}, too. A lead that goes to both is sent there twice, ` +
    'and they share the calls that the CRM allows in a day. Remove one if you did not mean it.'
  )
}
