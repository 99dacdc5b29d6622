/**
 * The right to erasure: deletes all personal data of an account in one transaction and returns a receipt. The ledger
 * stays: its entries, orders and their items, under an ID that no longer leads to a person. None of the contact data
 * from orders is kept.
 *
 * A second run finds no account. Locks are taken in the same order as everywhere else: key, account, push, destination,
 * delivery, order, item, lead.
 */
import { randomUUID } from 'node:crypto'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'

export interface ErasureReceipt {
  readonly receiptId: string
  readonly accountId: string
  readonly erasedAt: Date
  /** Rows deleted or emptied, by kind. */
  readonly erased: Readonly<Record<ErasedKind, number>>
  /** Rows kept for the ledger, and documents that name whom they were issued to. */
  readonly kept: { readonly orders: number; readonly ledgerEntries: number; readonly invoices: number }
}

export const erasedKinds = ['api_keys', 'sessions', 'screeners', 'watchlists', 'destinations', 'leads'] as const
export type ErasedKind = (typeof erasedKinds)[number]

/** @throws AppError NOT_FOUND if there is no such account, or it is erased. */
export async function eraseAccount(tx: Tx, accountId: string): Promise<ErasureReceipt> {
  const run = (statement: string) => tx.execute(statement, [accountId])
  await run('SELECT FROM access.api_key WHERE account_id = $1 FOR UPDATE')
  // FOR UPDATE waits for every transaction that is writing for this account, such as an order.
  const [account] = await tx.query<{ erasedAt: Date }>(
    'SELECT now() AS "erasedAt" FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR UPDATE',
    [accountId],
  )
  if (!account) throw new AppError('NOT_FOUND', 'No such account.')

  const destinations = await closeDestinations(run)
  const leads = await emptyOrders(run)
  const sessions = await run('DELETE FROM access.session WHERE account_id = $1')
  await run('DELETE FROM access.sign_in_code WHERE account_id = $1')
  await run(
    `DELETE FROM access.login_failure
     WHERE key_prefix IN (SELECT display_prefix FROM access.api_key WHERE account_id = $1)`,
  )
  const erased = {
    sessions,
    api_keys: await run('DELETE FROM access.api_key WHERE account_id = $1'),
    screeners: await run('DELETE FROM access.screener WHERE account_id = $1'),
    watchlists: await run('DELETE FROM access.watchlist WHERE account_id = $1'),
    destinations,
    leads,
  }
  await run('DELETE FROM access.person WHERE account_id = $1')
  // Stored responses contain what was ordered.
  await run('DELETE FROM access.idempotency WHERE account_id = $1')
  await run('DELETE FROM access.daily_usage WHERE account_id = $1')
  await run('DELETE FROM access.minute_usage WHERE account_id = $1')
  await run('DELETE FROM access.request_log WHERE account_id = $1')
  await run('DELETE FROM access.entitlement WHERE account_id = $1')
  await run('DELETE FROM access.activated_offer WHERE account_id = $1')
  await run(
    `UPDATE access.account SET email = account_id || '@erased.invalid', username = 'erased', suspended_reason = NULL, billing = NULL,
       erased_at = now() WHERE account_id = $1`,
  )
  const receipt = { receiptId: randomUUID(), accountId, ...account, erased, kept: await countKept(tx, accountId) }
  await audit(tx, {
    actor: `account:${accountId}`,
    action: 'erase account',
    subject: accountId,
    detail: { receiptId: receipt.receiptId, erased, kept: receipt.kept },
  })
  return receipt
}

/** Pushes end, credentials are deleted, and the delivery ledger keeps its counts without what was sent. */
async function closeDestinations(run: (statement: string) => Promise<number>): Promise<number> {
  const own = 'SELECT destination_id FROM deliver.destination WHERE account_id = $1'
  // A push without its fence writes nothing more, and a finished one is not started again.
  await run(
    sql`UPDATE deliver.push SET error = NULL, fence = NULL, finished_at = coalesce(finished_at, now()), status = 'finished'
     WHERE destination_id IN (${own})`,
  )
  const destinations = await run(
    `UPDATE deliver.destination SET status = 'removed', status_reason = NULL, settings_encrypted = '', name = 'erased',
       remote_account = 'erased:' || destination_id, verified_account = NULL, record_urls = '{}', failure = NULL, leased_to = NULL,
       leased_until = NULL, mapping = '[]'
     WHERE account_id = $1`,
  )
  await run(sql`DELETE FROM deliver.mapping_version WHERE destination_id IN (${own})`)
  // Named by the account and what it typed, such as a user name, until the CRM says which account it is.
  await run(`DELETE FROM deliver.limiter WHERE starts_with(remote_account, $1::uuid || '/')`)
  for (const table of ['deliver.adoption', 'deliver.rotation', 'deliver.turn', 'deliver.unmatched'])
    await run(sql`DELETE FROM ${table} WHERE destination_id IN (${own})`)
  await run(sql`DELETE FROM deliver.attempt WHERE destination_id IN (${own})`)
  await run('DELETE FROM deliver.event WHERE account_id = $1')
  await run('DELETE FROM deliver.mail WHERE account_id = $1')
  await run('DELETE FROM deliver.consent WHERE account_id = $1')
  await run(
    `UPDATE deliver.webhook SET url = 'erased', host = NULL, secret_encrypted = '', removed_at = coalesce(removed_at, now())
     WHERE account_id = $1`,
  )
  await run(
    sql`UPDATE deliver.record SET pushed_values = NULL, last_error = NULL, crm_id = NULL, desired_sha256 = '', sent_sha256 = NULL,
       acknowledged_sha256 = NULL, reading = NULL, fixes = NULL, fence = NULL
     WHERE destination_id IN (${own})`,
  )
  await run(
    sql`UPDATE deliver.delivery SET pushed_values = NULL, last_error = NULL, crm_id = NULL, remote_account = NULL, payload_sha256 = NULL,
         fence = NULL
     WHERE destination_id IN (${own})`,
  )
  return destinations
}

/**
 * Once an item has no contact data it is owed no lead, so the job does not build one again. @returns number of leads
 * deleted.
 */
async function emptyOrders(run: (statement: string) => Promise<number>): Promise<number> {
  const own = 'SELECT order_id FROM orders.purchase WHERE account_id = $1'
  await run(
    `UPDATE orders.purchase SET status = 'cancelled', payment_status = 'cancelled', cancelled_at = now()
     WHERE account_id = $1 AND status = 'pending'`,
  )
  await run(`UPDATE orders.checkout SET status = 'expired' WHERE account_id = $1 AND status = 'pending'`)
  await run(`UPDATE orders.purchase SET order_name = 'erased', payment = NULL WHERE account_id = $1`)
  await run('UPDATE orders.checkout SET payment = NULL WHERE account_id = $1')
  const standing = 'SELECT standing_order_id FROM orders.standing_order WHERE account_id = $1'
  await run(
    `UPDATE orders.standing_order SET name = 'erased', state = 'ended', reason = NULL, destinations = '{}', mappings = '{}' WHERE account_id = $1`,
  )
  await run(sql`UPDATE orders.standing_query SET query = NULL WHERE standing_order_id IN (${standing})`)
  await run(sql`DELETE FROM orders.standing_match WHERE standing_order_id IN (${standing})`)
  await run(
    sql`UPDATE orders.standing_run SET state = 'skipped', reason = 'stopped', reserved = 0, finished_at = now()
     WHERE standing_order_id IN (${standing}) AND state IN ('open', 'needs_approval')`,
  )
  await run(sql`UPDATE orders.item SET name = 'erased', has_contact = NULL WHERE order_id IN (${own})`)
  // Without its reason an open report could not be decided.
  await run(
    sql`UPDATE orders.dispute SET reason = 'erased', note = NULL, status = CASE status WHEN 'open' THEN 'rejected' ELSE status END,
       decided_at = coalesce(decided_at, now()), decided_by = coalesce(decided_by, 'system')
     WHERE item_id IN (SELECT item_id FROM orders.item WHERE order_id IN (${own}))`,
  )
  return run(sql`DELETE FROM orders.lead WHERE order_id IN (${own})`)
}

async function countKept(tx: Tx, accountId: string): Promise<ErasureReceipt['kept']> {
  const [row] = await tx.query<ErasureReceipt['kept']>(
    `SELECT (SELECT count(*) FROM orders.purchase WHERE account_id = $1) AS orders,
            (SELECT count(*) FROM ledger.entry JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1)
              AS "ledgerEntries",
            (SELECT count(*) FROM orders.invoice WHERE account_id = $1) AS invoices`,
    [accountId],
  )
  if (!row) throw new Error('an aggregate returned no row')
  return row
}
