/** Account search of the operator, paged. */
import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { type Account, accountColumns } from './accounts.ts'
import { displayPrefixOf } from './api-keys.ts'

export const accountSorts = listSorts('created_at-', {
  by: { email: 'lower(email)', username: 'lower(username)', created_at: 'created_at' },
  tie: 'account_id',
})

interface Page {
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'email' | 'username' | 'created_at'> | undefined
}

/**
 * Accounts that are not erased, newest first unless `sort` says otherwise; `search` is part of an e-mail or username in
 * any case, a whole ID, or the beginning of an account's key, active or revoked: at least its display prefix.
 */
export async function listAccounts(
  db: Queryable,
  {
    search,
    suspended,
    page,
    limit,
    sort,
  }: Page & { readonly search?: string | undefined; readonly suspended?: boolean },
): Promise<{ accounts: Account[]; total: number }> {
  const where = `erased_at IS NULL
    AND ($1::text IS NULL OR email ILIKE $1 OR username ILIKE $1 OR account_id::text = $2
      OR account_id IN (SELECT account_id FROM access.api_key WHERE display_prefix = $4))
    AND ($3::boolean IS NULL OR (suspended_at IS NOT NULL) = $3)`
  const text = search?.trim().toLowerCase() ?? ''
  const filter = [
    text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`,
    text,
    suspended ?? null,
    displayPrefixOf(search?.trim() ?? ''),
  ]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM access.account WHERE ${where}`,
    filter,
  )
  const accounts = await db.query<Account>(
    sql`SELECT ${accountColumns} FROM access.account WHERE ${where}
     ORDER BY ${accountSorts.orderBy(sort)} LIMIT $5 OFFSET $6`,
    [...filter, limit, (page - 1) * limit],
  )
  return { accounts, total: counted?.total ?? 0 }
}
