/**
 * How much an account may have stored at one time. Stored rows are counted where they are, so no counter can drift; the
 * count is exact where the caller locks the account (`holdQuotaAccount`) before it and writes after it.
 */
import { type QuotaName, quotas } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { type QuotaAccount, quotaPlanOf } from './quota-account.ts'
import { refusedBy } from './refused-by.ts'

/** Sessions are missing: the oldest one ends instead. */
export type CountedQuota = Exclude<QuotaName, 'sessions'>

/** What each quota counts, for the account $1. */
const counts: Readonly<Record<CountedQuota, string>> = {
  watchlists: 'SELECT count(*) AS used FROM access.watchlist WHERE account_id = $1',
  watchedEntities: `SELECT count(*) AS used FROM access.watchlist_entity JOIN access.watchlist USING (watchlist_id)
    WHERE account_id = $1`,
  savedScreeners: 'SELECT count(*) AS used FROM access.screener WHERE account_id = $1',
  savedScreenerBytes: `SELECT coalesce(sum(octet_length(name) + octet_length(query) + octet_length(coalesce(description, ''))), 0)
    AS used FROM access.screener WHERE account_id = $1`,
  pendingOrders: `SELECT count(*) AS used FROM orders.purchase WHERE account_id = $1 AND status = 'pending'`,
  pendingItems: `SELECT coalesce(sum(items_count), 0) AS used FROM orders.purchase
    WHERE account_id = $1 AND status = 'pending'`,
  destinations: `SELECT count(*) AS used FROM deliver.destination WHERE account_id = $1 AND status <> 'removed'`,
  standingOrders: `SELECT count(*) AS used FROM orders.standing_order WHERE account_id = $1 AND state IN ('active', 'blocked')`,
  standingDrafts: `SELECT count(*) AS used FROM orders.standing_order WHERE account_id = $1 AND state <> 'ended'`,
  apiKeys: `SELECT count(*) AS used FROM access.api_key
    WHERE account_id = $1 AND revoked_at IS NULL AND replaced_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  // Without one that is being replaced in this transaction.
  replacedKeys: `SELECT count(*) AS used FROM access.api_key
    WHERE account_id = $1 AND revoked_at IS NULL AND replaced_at < now() AND expires_at > now()`,
  people: 'SELECT count(*) AS used FROM access.person WHERE account_id = $1 AND removed_at IS NULL',
}

const words: Readonly<Record<CountedQuota, string>> = {
  watchlists: 'watchlists',
  watchedEntities: 'entities on all watchlists together',
  savedScreeners: 'saved screeners',
  savedScreenerBytes: 'bytes of saved screeners',
  pendingOrders: 'orders that wait for their payment',
  pendingItems: 'items of orders that wait for their payment',
  destinations: 'destinations',
  standingOrders: 'standing orders that are switched on',
  standingDrafts: 'standing orders',
  apiKeys: 'API keys',
  replacedKeys: 'replaced API keys that still work',
  people: 'people',
}

/**
 * @throws AppError QUOTA_EXCEEDED with `quota`, `limit` and `used` where `adding` more would exceed the plan's quota.
 */
export async function requireRoom(
  tx: Queryable,
  account: QuotaAccount,
  quota: CountedQuota,
  adding: number,
): Promise<void> {
  const limit = quotas[quotaPlanOf(account)][quota]
  const [row] = await tx.query<{ used: number }>(counts[quota], [account.accountId])
  const used = row?.used ?? 0
  if (used + adding <= limit) return
  throw refusedBy('storedRows', `Your plan holds at most ${limit} ${words[quota]}; there are ${used} now.`, {
    extra: { quota, limit, used },
  })
}
