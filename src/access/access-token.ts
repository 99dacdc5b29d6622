/**
 * Access tokens: JWT signed with EdDSA, typ `at+jwt`, valid for one hour. Reading one checks algorithm, type, key,
 * signature, issuer and audience; the times are checked against the database's clock when the call is admitted.
 */
import { randomUUID } from 'node:crypto'
import { compactVerify, errors, SignJWT } from 'jose'
import { z } from 'zod'
import { accessTokenSeconds } from '../../config/sign-in.ts'
import type { Db, Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type KeyRing, signingAlgorithm } from './signing-keys.ts'

const issuer = 'panji'
const audience = 'developer-api'
const tokenType = 'at+jwt'
/** Header, claims and an Ed25519 signature of 64 bytes: anything else is rejected before a key is looked up. */
const tokenShape = /^[\w-]{1,1024}\.[\w-]{1,2048}\.[\w-]{86}$/

const Claims = z.object({
  iss: z.literal(issuer),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  sub: z.uuid(),
  sid: z.uuid(),
  iat: z.number().int(),
  exp: z.number().int(),
})

export interface AccessToken {
  /** null for a browser session, which has a secret of its own instead of a signature. */
  readonly kid: string | null
  readonly sessionId: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface TokenSubject {
  readonly accountId: string
  readonly sessionId: string
  /** By the database's clock. */
  readonly now: Date
}

export async function signAccessToken(db: Db, keyRing: KeyRing, subject: TokenSubject): Promise<string> {
  const { kid, privateKey } = await keyRing.current(db)
  const issuedAt = Math.floor(subject.now.getTime() / 1000)
  // Signatures are deterministic: without an ID, a token refreshed within the second of its login would be the same.
  return new SignJWT({ sid: subject.sessionId })
    .setProtectedHeader({ alg: signingAlgorithm, typ: tokenType, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject.accountId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(privateKey)
}

export type AccessTokenReader = (token: string) => Promise<AccessToken>

const rememberedMax = 10_000

/**
 * Verifies tokens and caches the valid ones: a valid signature stays valid, and everything that can change (expiry,
 * session, account, revoked key) is checked in the database at every call.
 */
export function createAccessTokenReader(db: Queryable, keyRing: KeyRing): AccessTokenReader {
  const remembered = new Map<string, AccessToken>()
  return async (token) => {
    const known = remembered.get(token)
    if (known) return known
    const read = await readAccessToken(db, keyRing, token)
    const oldest = remembered.keys().next()
    if (remembered.size >= rememberedMax && !oldest.done) remembered.delete(oldest.value)
    remembered.set(token, read)
    return read
  }
}

/** @throws AppError UNAUTHENTICATED or WRONG_AUDIENCE. */
async function readAccessToken(db: Queryable, keyRing: KeyRing, token: string): Promise<AccessToken> {
  if (!tokenShape.test(token)) throw invalidToken()
  const verified = await verify(db, keyRing, token)
  const claims = Claims.safeParse(jsonOf(verified.payload))
  if (verified.typ !== tokenType || !claims.success) throw invalidToken()
  const { aud, sid, iat, exp } = claims.data
  if (![aud].flat().includes(audience)) {
    throw new AppError('WRONG_AUDIENCE', 'This token was not issued for the developer API. Log in with an API key.')
  }
  return { kid: verified.kid, sessionId: sid, issuedAt: iat, expiresAt: exp }
}

/** Only the header's key ID is used, and only as a name: keys and URLs in a token are ignored. */
async function verify(db: Queryable, keyRing: KeyRing, token: string) {
  try {
    const { payload, protectedHeader } = await compactVerify(
      token,
      async (header) => {
        const key = await keyRing.publicKey(db, header.kid ?? '')
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key
      },
      { algorithms: [signingAlgorithm] },
    )
    return { payload, typ: protectedHeader.typ, kid: protectedHeader.kid ?? '' }
  } catch (cause) {
    if (cause instanceof errors.JOSEError) throw invalidToken(cause)
    throw cause
  }
}

function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch (cause) {
    throw invalidToken(cause)
  }
}

function invalidToken(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The access token is not valid. Log in at POST /api/auth/login.', { cause })
}
