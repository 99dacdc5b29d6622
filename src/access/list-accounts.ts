/** What the operator looks up: accounts, by page. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Account, accountColumns } from './accounts.ts'
import { displayPrefixOf } from './api-keys.ts'

/** By which accounts are listed; with a hyphen behind it from the end. */
export const accountSorts = ['email', 'email-', 'username', 'username-', 'created_at', 'created_at-'] as const

interface Page {
  readonly page: number
  readonly limit: number
  readonly sort?: (typeof accountSorts)[number] | undefined
}

const orders: Readonly<Record<(typeof accountSorts)[number], string>> = {
  email: sql`lower(email)`,
  'email-': sql`lower(email) DESC`,
  username: sql`lower(username)`,
  'username-': sql`lower(username) DESC`,
  created_at: sql`created_at`,
  'created_at-': sql`created_at DESC`,
}

/**
 * Living accounts, the newest first unless `sort` says otherwise; `search` is part of e-mail or username in any case, a whole id, or the
 * beginning of one of the account's keys, living or revoked: its display prefix at least.
 */
export async function listAccounts(
  db: Queryable,
  {
    search,
    suspended,
    page,
    limit,
    sort = 'created_at-',
  }: Page & { readonly search?: string | undefined; readonly suspended?: boolean },
): Promise<{ accounts: Account[]; total: number }> {
  const where = `erased_at IS NULL
    AND ($1::text IS NULL OR email ILIKE $1 OR username ILIKE $1 OR account_id::text = $2
      OR account_id IN (SELECT account_id FROM access.api_key WHERE display_prefix = $4))
    AND ($3::boolean IS NULL OR (suspended_at IS NOT NULL) = $3)`
  const text = search?.trim().toLowerCase() ?? ''
  const asked = [
    text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`,
    text,
    suspended ?? null,
    displayPrefixOf(search?.trim() ?? ''),
  ]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM access.account WHERE ${where}`,
    asked,
  )
  const accounts = await db.query<Account>(
    sql`SELECT ${accountColumns} FROM access.account WHERE ${where}
     ORDER BY ${orders[sort]}, account_id LIMIT $5 OFFSET $6`,
    [...asked, limit, (page - 1) * limit],
  )
  return { accounts, total: counted?.total ?? 0 }
}
