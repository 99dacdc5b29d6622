/**
 * An operator's view of an account: a read-only session of the account in one browser that sees what the account would
 * see. The account's session list leaves it out. It ends after half an hour, and with its operator. Opening two views
 * creates two sessions.
 */
import { randomBytes } from 'node:crypto'
import { accountViewMinutes } from '../../config/sign-in.ts'
import { actingNow } from '../audit/acting.ts'
import { audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Account, getAccount } from './accounts.ts'
import type { Viewer } from './admission.ts'
import { sha256 } from './api-keys.ts'
import { comparableAddress } from './blocked-addresses.ts'
import { storedCookie } from './sessions.ts'

export interface OpenedView {
  readonly account: Account
  /** For the cookie; stored hashed, so it cannot be read again. */
  readonly secret: string
  readonly expiresAt: Date
}

export interface ViewWish {
  readonly viewer: Viewer
  readonly reason: string
  readonly ip: string
  /** Cookie of the browser's current session, which ends. */
  readonly replaces: string | undefined
}

/** @throws AppError NOT_FOUND */
export async function openAccountView(
  tx: Queryable,
  userId: string,
  { viewer, reason, ip, replaces }: ViewWish,
): Promise<OpenedView> {
  const account = await getAccount(tx, userId)
  const { accountId } = account
  const secret = randomBytes(32).toString('base64url')
  if (replaces) {
    await tx.execute(
      sql`UPDATE access.session SET revoked_at = now() WHERE refresh_sha256 = $1 AND revoked_at IS NULL`,
      [sha256(storedCookie(replaces))],
    )
  }
  const [row] = await tx.query<{ sessionId: string; expiresAt: Date }>(
    sql`SELECT session_id AS "sessionId", expires_at AS "expiresAt" FROM access.open_account_view($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[accountId, viewer.id, viewer.name, sha256(storedCookie(secret)), comparableAddress(ip), accountViewMinutes],
      actingNow()?.proof ?? null,
    ],
  )
  if (!row) throw new Error('opening a view returned no row')
  await audit(tx, {
    actor: `operator:${viewer.name}`,
    action: 'view as account',
    subject: accountId,
    accountId,
    detail: { sessionId: row.sessionId, reason },
  })
  return { account, secret, expiresAt: row.expiresAt }
}
