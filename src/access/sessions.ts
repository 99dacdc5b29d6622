/**
 * Sessions: an API key opens one, and its refresh token renews the access token for 30 days.
 *
 * The refresh token is not rotated: the refresh result of the specification has no member for a new one, and losing the
 * answer with a rotated token would end the session. It is bound instead: stored hashed, for one session of one key,
 * limited to 30 days from the login, and invalid as soon as the session, the key or the account is.
 */
import { randomBytes } from 'node:crypto'
import { quotas } from '../../config/plans.ts'
import { browserRestMinutes, browserSessionHours, refreshTokenDays } from '../../config/sign-in.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { addressBucket } from '../domain/client-address.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { quotaPlanOf, readQuotaAccount } from '../limits/quota-account.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { type AccessToken, signAccessToken } from './access-token.ts'
import { displayPrefixOf, findApiKeyOwner, isApiKeyShaped, sha256 } from './api-keys.ts'
import { comparableAddress, isNoted, isRefused } from './blocked-addresses.ts'
import { type Attempt, lockAttempts, recordFailure, throttleSeconds } from './login-throttle.ts'
import { requirePersonFactor } from './person-factor.ts'
import type { SessionOwner } from './session-owner.ts'
import { personOfCode, takeSignInCode } from './sign-in-links.ts'
import type { KeyRing } from './signing-keys.ts'

export interface Login {
  readonly accountId: string
  /** The key of the login. */
  readonly apiKeyId: string
  readonly username: string
  readonly accessToken: string
  readonly refreshToken: string
}

interface OpenedSession {
  readonly sessionId: string
  readonly refreshToken: string
  readonly now: Date
  readonly expiresAt: Date
}

/** What a login opens: the refresh token as stored, and hours until it ends. */
interface SessionKind {
  readonly stored: (secret: string) => string
  readonly hours: number
  /** Ends when it is idle for too long. */
  readonly rests: boolean
}

const ofProgram: SessionKind = { stored: (refreshToken) => refreshToken, hours: refreshTokenDays * 24, rests: false }
/** A cookie is hashed with a prefix, so that it cannot renew an access token. */
export const storedCookie = (cookie: string): string => `browser session ${cookie}`
const ofBrowser: SessionKind = { stored: storedCookie, hours: browserSessionHours, rests: true }

type LoginOutcome<Owner extends SessionOwner> =
  | { readonly kind: 'opened'; readonly owner: Owner; readonly session: OpenedSession }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'wrong key' }

/**
 * Exchanges an API key for a session. The key is looked up before anything is counted, so the right one gets in
 * whatever others have sent from its address or with its prefix. @param ip from the socket or a trusted proxy. @throws
 * AppError INVALID_API_KEY, ACCOUNT_SUSPENDED, LOGIN_THROTTLED, ADDRESS_BLOCKED.
 */
export async function logIn(db: Db, keyRing: KeyRing, apiKey: string, ip: string): Promise<Login> {
  const { owner, session } = await exchange(db, apiKey, ip, ofProgram)
  const accessToken = await signAccessToken(db, keyRing, { accountId: owner.accountId, ...session })
  const { accountId, apiKeyId, username } = owner
  return { accountId, apiKeyId, username, accessToken, refreshToken: session.refreshToken }
}

export interface BrowserLogin {
  readonly owner: SessionOwner
  /** For the cookie; stored hashed, so it cannot be read again. */
  readonly secret: string
  readonly expiresAt: Date
}

/** The same for a browser: refused, counted, bound to its key and ended like any other session. */
export async function signInBrowser(db: Db, apiKey: string, ip: string): Promise<BrowserLogin> {
  const { owner, session } = await exchange(db, apiKey, ip, ofBrowser)
  return { owner, secret: session.refreshToken, expiresAt: session.expiresAt }
}

export interface CodeEntry {
  readonly code: string
  /** Code of the second factor, where the person has one. */
  readonly totp: string | undefined
  readonly ip: string
}

/**
 * Signs a person in with the code of a link, which stays valid while the second factor is missing or wrong. @throws
 * AppError INVALID_SIGN_IN_CODE, SECOND_FACTOR_REQUIRED, LOGIN_THROTTLED, ACCOUNT_SUSPENDED, ADDRESS_BLOCKED.
 */
export async function signInByCode(db: Db, secretKey: Secret, { code, totp, ip }: CodeEntry): Promise<BrowserLogin> {
  const personId = await personOfCode(db, code)
  if (personId !== undefined) await requirePersonFactor(db, secretKey, personId, totp)
  const outcome = await db.transaction(async (tx) => openFor(tx, await takeSignInCode(tx, code), ip, ofBrowser))
  if (outcome.kind === 'refused') throw outcome.error
  if (outcome.kind === 'wrong key') throw codeUnknown()
  const { owner, session } = outcome
  return { owner, secret: session.refreshToken, expiresAt: session.expiresAt }
}

export const codeUnknown = (): AppError =>
  new AppError(
    'INVALID_SIGN_IN_CODE',
    'This link was already used or has expired. Request another one, or sign in with an API key.',
  )

/**
 * @returns the session of a browser's cookie as a caller, which admission checks like any other; undefined if there is
 * none, or it was idle for too long.
 */
export async function findBrowserSession(
  db: Queryable,
  cookie: string,
): Promise<{ readonly caller: AccessToken; readonly expiresAt: Date } | undefined> {
  const [session] = await db.query<{ sessionId: string; expiresAt: Date; isStale: boolean }>(
    `SELECT session_id AS "sessionId", expires_at AS "expiresAt", used.at < now() - interval '1 minute' AS "isStale"
     FROM access.session, LATERAL (SELECT coalesce(last_used_at, created_at) AS at) AS used
     WHERE refresh_sha256 = $1 AND used.at > now() - make_interval(mins => $2)`,
    [sha256(storedCookie(cookie)), browserRestMinutes],
  )
  if (!session) return undefined
  const { sessionId, expiresAt, isStale } = session
  if (isStale) await db.execute('UPDATE access.session SET last_used_at = now() WHERE session_id = $1', [sessionId])
  const caller = { sessionId, kid: null, issuedAt: 0, expiresAt: Math.ceil(expiresAt.getTime() / 1000) }
  return { caller, expiresAt }
}

async function exchange(db: Db, apiKey: string, ip: string, kind: SessionKind) {
  const shaped = isApiKeyShaped(apiKey)
  const outcome = shaped ? await db.transaction((tx) => openWith(tx, apiKey, ip, kind)) : { kind: 'wrong key' as const }
  if (outcome.kind === 'refused') throw outcome.error
  if (outcome.kind === 'wrong key') {
    const attempt = { address: addressBucket(ip), keyPrefix: shaped ? displayPrefixOf(apiKey) : null }
    // The refusal is a value in here, because the failure that it records must commit.
    throw await db.transaction((tx) => answerWrongKey(tx, attempt, ip))
  }
  return outcome
}

async function openWith(tx: Tx, apiKey: string, ip: string, kind: SessionKind) {
  const owner = await findApiKeyOwner(tx, apiKey)
  return openFor(tx, owner && { ...owner, person: null, mustAddSecondFactor: false }, ip, kind)
}

async function openFor<Owner extends SessionOwner>(
  tx: Tx,
  owner: Owner | undefined,
  ip: string,
  kind: SessionKind,
): Promise<LoginOutcome<Owner>> {
  if (!owner) return { kind: 'wrong key' }
  if (await isRefused(tx, ip)) return { kind: 'refused', error: addressBlocked() }
  if (owner.suspended) {
    return { kind: 'refused', error: new AppError('ACCOUNT_SUSPENDED', 'This account is suspended.') }
  }
  return { kind: 'opened', owner, session: await openSession(tx, owner, ip, kind) }
}

async function answerWrongKey(tx: Queryable, attempt: Attempt, ip: string): Promise<AppError> {
  await lockAttempts(tx, attempt)
  if ((await isNoted(tx, attempt.address)) || (await isRefused(tx, ip))) return addressBlocked()
  const seconds = await throttleSeconds(tx, attempt)
  if (seconds > 0) {
    const message = `Too many wrong keys. The right one still gets in; wrong ones are checked again in ${seconds} seconds.`
    return refusedBy('wrongKeys', message, { retryAfterSeconds: seconds })
  }
  await recordFailure(tx, attempt)
  return new AppError('INVALID_API_KEY', 'The API key is unknown, expired or revoked.')
}

function addressBlocked(): AppError {
  return refusedBy('blockedAddress', 'This address is blocked. Ask the operator to unblock it.')
}

async function openSession(tx: Queryable, owner: SessionOwner, ip: string, kind: SessionKind): Promise<OpenedSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  // Logins of one account are serialised from here on, so that each counts the others' sessions.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sessions ${owner.accountId}`])
  // Invariant: a session has the scopes of its key and ends with it, or has what its person's role allows.
  const [row] = await tx.query<{ sessionId: string; now: Date; expiresAt: Date }>(
    `INSERT INTO access.session (account_id, api_key_id, refresh_sha256, scopes, opened_from, expires_at, last_used_at, person_id)
     VALUES ($1, $2, $3, $4, $5, least(now() + make_interval(hours => $6),
       (SELECT expires_at FROM access.api_key WHERE api_key_id = $2)), CASE WHEN $7 THEN now() END, $8)
     RETURNING session_id AS "sessionId", now() AS now, expires_at AS "expiresAt"`,
    [
      owner.accountId,
      owner.apiKeyId,
      sha256(kind.stored(refreshToken)),
      owner.scopes,
      comparableAddress(ip),
      kind.hours,
      kind.rests,
      owner.person?.personId ?? null,
    ],
  )
  if (!row) throw new Error('the insert of a session returned no row')
  await endOldest(tx, owner.accountId, row.sessionId)
  return { ...row, refreshToken }
}

/** Deletes ended sessions first, then the oldest; the one that is being opened stays. */
async function endOldest(tx: Queryable, accountId: string, opened: string): Promise<void> {
  const limit = quotas[quotaPlanOf(await readQuotaAccount(tx, accountId))].sessions
  await tx.execute(
    `DELETE FROM access.session WHERE session_id IN (
       SELECT session_id FROM access.session WHERE account_id = $1 AND session_id <> $2
       ORDER BY revoked_at IS NULL AND expires_at > now() DESC, created_at DESC OFFSET $3)`,
    [accountId, opened, limit - 1],
  )
}

/**
 * A new access token for the same session, which is a use of its key. @throws AppError INVALID_REFRESH_TOKEN,
 * ACCOUNT_SUSPENDED, ADDRESS_BLOCKED.
 */
export async function refreshAccessToken(db: Db, keyRing: KeyRing, refreshToken: string, ip: string): Promise<string> {
  const [session] = await db.query<{
    sessionId: string
    accountId: string
    live: boolean
    suspended: boolean
    blocked: boolean
    now: Date
  }>(
    `WITH asked AS (
       SELECT s.session_id AS "sessionId", s.account_id AS "accountId", api_key_id,
              s.revoked_at IS NULL AND s.expires_at > now() AND k.revoked_at IS NULL AND a.erased_at IS NULL AS live,
              a.suspended_at IS NOT NULL AS suspended,
              EXISTS (SELECT FROM access.blocked_address b WHERE b.refused >>= $2::inet) AS blocked, now() AS now
       FROM access.session s JOIN access.account a USING (account_id) JOIN access.api_key k USING (api_key_id)
       WHERE s.refresh_sha256 = $1
     ), used AS (
       UPDATE access.api_key k SET last_used_at = now() FROM asked
       WHERE k.api_key_id = asked.api_key_id AND live AND NOT suspended AND NOT blocked
         AND k.last_used_at < now() - interval '1 minute'
     )
     SELECT "sessionId", "accountId", live, suspended, blocked, now FROM asked`,
    [sha256(refreshToken), comparableAddress(ip)],
  )
  if (session?.blocked) throw addressBlocked()
  if (session?.suspended) throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended.')
  if (!session?.live) {
    throw new AppError(
      'INVALID_REFRESH_TOKEN',
      'The refresh token is unknown, expired or revoked. Log in again with the API key.',
    )
  }
  return signAccessToken(db, keyRing, session)
}
