/**
 * Separates credentials that were never issued from those that may be valid, for callers who have guessed too often:
 * waiting ones are looked up in batches, one statement at a time and a few a second, so that a flood of well-formed
 * guesses costs the database as much as one caller, and the right one among them still gets in.
 *
 * "Known" allows nothing: the ordinary authenticator checks everything else, and counts.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../db/db.ts'
import { sha256 } from './api-keys.ts'
import { storedProof } from './operator-proof.ts'
import { storedCookie } from './sessions.ts'

export interface KnownCredentials {
  apiKey(text: string): Promise<boolean>
  refreshToken(text: string): Promise<boolean>
  /** Token of a stored operator. */
  operatorToken(text: string): Promise<boolean>
  /** The cookie of an account's browser. */
  browserSession(cookie: string): Promise<boolean>
  /** The cookie of an operator's browser. */
  consoleSession(cookie: string): Promise<boolean>
  /** Code of a printed link, used or not. */
  consoleCode(text: string): Promise<boolean>
  /** Code of a mailed link, used or not. */
  signInCode(text: string): Promise<boolean>
  /** The ID of a key that signs access tokens. */
  signingKey(kid: string): Promise<boolean>
}

interface Presented {
  readonly digest: Buffer
  readonly kid: string | null
  readonly resolve: (known: boolean) => void
  readonly reject: (error: unknown) => void
}

const batchMax = 1_000
const pauseMs = 50

export function createKnownCredentials(db: Queryable): KnownCredentials {
  let waiting: Presented[] = []
  let running = false

  async function askAll(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      try {
        const known = await knownAmong(db, batch)
        for (const each of batch) each.resolve(known.has(nameOf(each)))
      } catch (error) {
        for (const each of batch) each.reject(error)
      }
      await delay(pauseMs)
    }
    running = false
  }

  const askDigest = (digest: Buffer, kid: string | null = null) =>
    new Promise<boolean>((resolve, reject) => {
      waiting.push({ digest, kid, resolve, reject })
      if (!running) void askAll()
    })
  const ask = (text: string, kid: string | null) => askDigest(sha256(text), kid)
  return {
    apiKey: (text) => ask(text, null),
    refreshToken: (text) => ask(text, null),
    operatorToken: (text) => askDigest(storedProof(text)),
    browserSession: (cookie) => ask(storedCookie(cookie), null),
    consoleSession: (cookie) => askDigest(storedProof(cookie)),
    consoleCode: (text) => ask(text, null),
    signInCode: (text) => ask(text, null),
    signingKey: (kid) => ask(kid, kid),
  }
}

const nameOf = ({ digest, kid }: Pick<Presented, 'digest' | 'kid'>) => kid ?? digest.toString('hex')

async function knownAmong(db: Queryable, presented: readonly Presented[]): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `SELECT encode(key_sha256, 'hex') AS name FROM access.api_key WHERE key_sha256 = ANY ($1::bytea[])
     UNION ALL
     SELECT encode(refresh_sha256, 'hex') FROM access.session WHERE refresh_sha256 = ANY ($1::bytea[])
     UNION ALL
     SELECT encode(token_sha256, 'hex') FROM access.operator
     WHERE token_sha256 = ANY ($1::bytea[]) AND revoked_at IS NULL
     UNION ALL
     SELECT encode(secret_sha256, 'hex') FROM access.console_session WHERE secret_sha256 = ANY ($1::bytea[])
     UNION ALL
     SELECT encode(code_sha256, 'hex') FROM access.console_code WHERE code_sha256 = ANY ($1::bytea[])
     UNION ALL
     SELECT encode(code_sha256, 'hex') FROM access.sign_in_code WHERE code_sha256 = ANY ($1::bytea[])
     UNION ALL
     SELECT kid FROM access.signing_key WHERE kid = ANY ($2::text[])`,
    [
      presented.flatMap(({ digest, kid }) => (kid === null ? [digest] : [])),
      presented.flatMap(({ kid }) => (kid === null ? [] : [kid])),
    ],
  )
  return new Set(rows.map(({ name }) => name))
}
