/**
 * Blocked addresses. An address that the system noted after too many failed logins is only refused for wrong keys: the
 * right key gets in from everywhere. An address or network that an operator blocked is refused on every developer call.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { addressOf, networkOf, unknownAddress } from '../domain/client-address.ts'
import { AppError } from '../errors.ts'

export interface BlockedAddress {
  readonly address: string
  readonly reason: string
  readonly blockedAt: Date
  readonly blockedBy: string
}

const columns = `address, reason, blocked_at AS "blockedAt", blocked_by AS "blockedBy"`

export async function listBlockedAddresses(db: Queryable): Promise<BlockedAddress[]> {
  return db.query<BlockedAddress>(sql`SELECT ${columns} FROM access.blocked_address ORDER BY blocked_at DESC, address`)
}

/** An address as the database compares it; null for text that is not an address, which is in no network. */
export function comparableAddress(ip: string | undefined): string | null {
  const address = addressOf(ip)
  return address === unknownAddress ? null : address
}

/** @returns true where an operator has blocked the address. */
export async function isRefused(db: Queryable, address: string): Promise<boolean> {
  const rows = await db.query('SELECT FROM access.blocked_address WHERE refused >>= $1::inet LIMIT 1', [
    comparableAddress(address),
  ])
  return rows.length > 0
}

/** @returns true where the system has noted the caller's address or its /64, see `addressBucket`. */
export async function isNoted(db: Queryable, bucket: string): Promise<boolean> {
  const rows = await db.query('SELECT FROM access.blocked_address WHERE address = $1', [bucket])
  return rows.length > 0
}

/** Notes an address after too many failures; noting it again keeps its first reason and time. */
export async function noteAddress(tx: Queryable, bucket: string, reason: string): Promise<void> {
  const added = await tx.execute(
    `INSERT INTO access.blocked_address (address, reason, blocked_by) VALUES ($1, $2, 'system') ON CONFLICT DO NOTHING`,
    [bucket, reason],
  )
  if (added > 0) await audit(tx, { actor: 'system', action: 'block address', subject: bucket })
}

/**
 * Blocks an address, the /64 of an IPv6 address, or a network. Blocking it again keeps the first reason and time; a
 * block by the system is replaced. @throws AppError BAD_REQUEST for what is neither an address nor a network.
 */
export async function blockAddress(
  tx: Queryable,
  block: { readonly address: string; readonly reason: string; readonly by: Actor },
): Promise<BlockedAddress> {
  const network = requiredNetwork(block.address)
  const added = await tx.execute(
    `INSERT INTO access.blocked_address AS b (address, refused, reason, blocked_by) VALUES ($1::text, $1::text::inet, $2, $3)
     ON CONFLICT (address) DO UPDATE
       SET refused = excluded.refused, reason = excluded.reason, blocked_by = excluded.blocked_by, blocked_at = now()
       WHERE b.refused IS NULL`,
    [network, block.reason, block.by],
  )
  if (added > 0) await audit(tx, { actor: block.by, action: 'block address', subject: network })
  const [row] = await tx.query<BlockedAddress>(sql`SELECT ${columns} FROM access.blocked_address WHERE address = $1`, [
    network,
  ])
  if (!row) throw new Error('a blocked address disappeared while it was being blocked')
  return row
}

/**
 * Also deletes the address's failures: otherwise the next mistake would note it again. @throws AppError NOT_FOUND if
 * the address is not blocked, CONFLICT if a wider blocked network would still refuse it, BAD_REQUEST for what is
 * neither an address nor a network.
 */
export async function unblockAddress(tx: Queryable, address: string, actor: Actor = 'operator'): Promise<void> {
  const network = requiredNetwork(address)
  const [wider] = await tx.query<{ address: string }>(
    'SELECT address FROM access.blocked_address WHERE refused >> $1::inet ORDER BY masklen(refused) LIMIT 1',
    [network],
  )
  if (wider) {
    throw new AppError('CONFLICT', `${network} is in the blocked network ${wider.address}. Unblock that network.`)
  }
  const removed = await tx.execute(
    'DELETE FROM access.blocked_address WHERE address = $1::text OR network(refused) = network($1::text::inet)',
    [network],
  )
  if (removed === 0) throw new AppError('NOT_FOUND', 'This address is not blocked.')
  await tx.execute('DELETE FROM access.login_failure WHERE address = $1', [network])
  await audit(tx, { actor, action: 'unblock address', subject: network })
}

function requiredNetwork(text: string): string {
  const network = networkOf(text)
  if (network === undefined) throw new AppError('BAD_REQUEST', 'ip: must be an IPv4 or IPv6 address, or a network')
  return network
}
