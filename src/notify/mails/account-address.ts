/**
 * Where e-mails about an account go: to its own address as long as one of its people has it, then to the admin who
 * joined first, since nobody can change the account's own. An account always keeps an admin who has joined.
 */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Of the account `a`. */
export const accountAddress = sql`(SELECT member.email FROM access.person AS member
  WHERE member.account_id = a.account_id AND member.joined_at IS NOT NULL AND member.removed_at IS NULL
    AND (member.role = 'admin' OR lower(member.email) = lower(a.email))
  ORDER BY lower(member.email) = lower(a.email) DESC, member.joined_at, member.person_id LIMIT 1)`

export async function readAccountAddress(db: Queryable, accountId: string): Promise<string> {
  const [account] = await db.query<{ address: string }>(
    sql`SELECT ${accountAddress} AS address FROM access.account AS a WHERE account_id = $1`,
    [accountId],
  )
  if (!account) throw new Error('the account of a session has no row')
  return account.address
}
