/** Addresses that are refused on every developer call, by the system after too many failed logins or by the operator. */
import type { Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Actor, audit } from './audit.ts'

export interface BlockedAddress {
  readonly address: string
  readonly reason: string
  readonly blockedAt: Date
  readonly blockedBy: string
}

const columns = `address, reason, blocked_at AS "blockedAt", blocked_by AS "blockedBy"`

/** One spelling per address: IPv4 inside IPv6 is the IPv4 address. */
export function addressOf(ip: string): string {
  return ip.toLowerCase().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
}

export async function listBlockedAddresses(db: Queryable): Promise<BlockedAddress[]> {
  return db.query<BlockedAddress>(`SELECT ${columns} FROM access.blocked_address ORDER BY blocked_at DESC, address`)
}

export async function isBlocked(db: Queryable, address: string): Promise<boolean> {
  const rows = await db.query('SELECT FROM access.blocked_address WHERE address = $1', [address])
  return rows.length > 0
}

/** Blocking a blocked address keeps its first reason and time. */
export async function blockAddress(
  tx: Queryable,
  block: { readonly address: string; readonly reason: string; readonly by: Actor },
): Promise<BlockedAddress> {
  const added = await tx.execute(
    `INSERT INTO access.blocked_address (address, reason, blocked_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [block.address, block.reason, block.by],
  )
  if (added > 0) await audit(tx, { actor: block.by, action: 'block address', subject: block.address })
  const [row] = await tx.query<BlockedAddress>(`SELECT ${columns} FROM access.blocked_address WHERE address = $1`, [
    block.address,
  ])
  if (!row) throw new Error('a blocked address vanished while it was blocked')
  return row
}

/**
 * Forgets the address's failures too: otherwise the next mistake would block it again.
 * @throws AppError NOT_FOUND when the address is not blocked.
 */
export async function unblockAddress(tx: Queryable, address: string, actor: Actor = 'operator'): Promise<void> {
  const removed = await tx.execute('DELETE FROM access.blocked_address WHERE address = $1', [address])
  if (removed === 0) throw new AppError('NOT_FOUND', 'This address is not blocked.')
  await tx.execute('DELETE FROM access.login_failure WHERE address = $1', [address])
  await audit(tx, { actor, action: 'unblock address', subject: address })
}
