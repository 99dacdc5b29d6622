/**
 * The open sessions of an account, listed and ended. The tokens of an ended session are refused from the next call on.
 */
import { browserRestMinutes, freshLoginMinutes, knownCredentialHours } from '../../config/sign-in.ts'
import type { Queryable } from '../db/db.ts'
import { type AccountRole, scopesOfRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { type ActingPerson, requireAccountRole } from './people.ts'
import { requireScopes } from './scopes.ts'

export interface SessionRecord {
  readonly sessionId: string
  /** Prefix of the key that opened it; null for a person. */
  readonly keyPrefix: string | null
  readonly keyName: string | null
  readonly personId: string | null
  readonly personName: string | null
  readonly scopes: readonly KeyScope[]
  /** Address of the login, where it is known. */
  readonly openedFrom: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Open sessions, newest first. */
export async function listSessions(db: Queryable, accountId: string): Promise<SessionRecord[]> {
  const sessions = await db.query<SessionRecord & { readonly role: AccountRole | null }>(
    `SELECT s.session_id AS "sessionId", k.display_prefix AS "keyPrefix", k.name AS "keyName", s.scopes,
            m.person_id AS "personId", m.name AS "personName", m.role,
            s.opened_from AS "openedFrom", s.created_at AS "createdAt", s.expires_at AS "expiresAt"
     FROM access.session s LEFT JOIN access.api_key k USING (api_key_id) LEFT JOIN access.person m USING (person_id)
     WHERE s.account_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND s.viewer_id IS NULL
       AND (s.last_used_at IS NULL OR s.last_used_at > now() - make_interval(mins => $2))
     ORDER BY s.created_at DESC, s.session_id LIMIT 1000`,
    [accountId, browserRestMinutes],
  )
  return sessions.map(({ role, scopes, ...session }) => ({ ...session, scopes: role ? scopesOfRole[role] : scopes }))
}

export interface EndingSession {
  readonly scopes: readonly KeyScope[]
  /** The signed-in person, if any: an admin can end any session, others their own. */
  readonly person: ActingPerson | null
}

/**
 * @throws AppError NOT_FOUND for an unknown session or another account's, SCOPE_MISSING and ROLE_MISSING for one with
 * more rights.
 */
export async function endSession(
  tx: Queryable,
  accountId: string,
  sessionId: string,
  { scopes, person }: EndingSession,
): Promise<void> {
  const [session] = isUuid(sessionId)
    ? await tx.query<{ scopes: KeyScope[]; personId: string | null; role: AccountRole | null }>(
        `SELECT s.scopes, s.person_id AS "personId", m.role FROM access.session s LEFT JOIN access.person m USING (person_id)
         WHERE s.account_id = $1 AND s.session_id = $2 FOR UPDATE OF s`,
        [accountId, sessionId],
      )
    : []
  if (!session) throw new AppError('NOT_FOUND', 'There is no session with this ID.')
  if (person === null) requireScopes(session.role ? scopesOfRole[session.role] : session.scopes, scopes)
  else if (person.personId !== session.personId) requireAccountRole(person, 'admin')
  await tx.execute('UPDATE access.session SET revoked_at = now() WHERE session_id = $1 AND revoked_at IS NULL', [
    sessionId,
  ])
}

/**
 * @throws AppError FRESH_LOGIN_REQUIRED where the session's login is older than `freshLoginMinutes`, or its key or person
 * newer than `knownCredentialHours`.
 */
export async function requireFreshLogin(db: Queryable, sessionId: string): Promise<void> {
  const [login] = await db.query<{ isFresh: boolean; knownAt: Date; isKnown: boolean }>(
    `SELECT s.created_at > now() - make_interval(mins => $2) AS "isFresh", known.at AS "knownAt",
            known.at <= now() OR a.created_at > now() - make_interval(hours => $3) AS "isKnown"
     FROM access.session s JOIN access.account a USING (account_id)
     LEFT JOIN access.api_key k ON k.api_key_id = s.api_key_id LEFT JOIN access.person m ON m.person_id = s.person_id,
       LATERAL (SELECT coalesce(k.created_at, m.invited_at) + make_interval(hours => $3) AS at) AS known
     WHERE session_id = $1`,
    [sessionId, freshLoginMinutes, knownCredentialHours],
  )
  if (login?.isFresh && login.isKnown) return
  if (login?.isFresh) {
    throw new AppError(
      'FRESH_LOGIN_REQUIRED',
      'This needs a login with a key, or as a person, that the account has had for a day. This one can do it from ' +
        `${shownInstant(login.knownAt)} on.`,
    )
  }
  throw new AppError(
    'FRESH_LOGIN_REQUIRED',
    `This needs a login of the last ${freshLoginMinutes} minutes. Sign in again, or exchange the API key again at ` +
      'POST /api/auth/login and send the call again with the new access token.',
  )
}
