/**
 * API keys: `panji_` and 43 base62 characters (256 bits), shown once, stored as SHA-256 with a display prefix, which
 * identifies the key within its account. A key has scopes and, optionally, an expiry. A fast hash is right here: the
 * key is random, so there is no dictionary to slow down.
 */
import { createHash, randomInt } from 'node:crypto'
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { type KeyScope, keyScopes } from '../domain/key-scope.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'panji_'
const keyShape = /^panji_[0-9A-Za-z]{43}$/

/** `panji_` and four characters: enough to recognise, useless for guessing. */
export const displayPrefixOf = (apiKey: string): string => apiKey.slice(0, prefix.length + 4)
export const isApiKeyShaped = (text: string): boolean => keyShape.test(text)
/** true for text that was meant as an API key, even if truncated or mistyped. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(prefix)
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

export interface NewApiKey {
  /** For people: where the key is used. */
  readonly name?: string | undefined
  /** All scopes when unset. */
  readonly scopes?: readonly KeyScope[] | undefined
  /** When unset, valid until it is revoked. */
  readonly expiresAt?: Date | undefined
  /** The key that created it, with which it ends; unset for an operator. */
  readonly parentKeyId?: string | null | undefined
  /** It can only spend within the budget of this standing order. */
  readonly standingOrderId?: string | null | undefined
  /** The person who creates it. */
  readonly madeBy?: string | undefined
  /** It replaces a key that counted towards the quota. */
  readonly hasRoom?: boolean | undefined
  readonly actor?: Actor
}

export interface IssuedApiKey {
  readonly apiKeyId: string
  readonly displayPrefix: string
  readonly apiKey: string
}

/**
 * The caller has checked that the account exists. @returns the key itself, which cannot be read again. @throws AppError
 * UNPROCESSABLE for an expiry in the past, QUOTA_EXCEEDED where the account has its maximum of keys.
 */
export async function issueApiKey(tx: Queryable, accountId: string, given: NewApiKey = {}): Promise<IssuedApiKey> {
  const { name = 'default', scopes = keyScopes, expiresAt, parentKeyId = null, actor = 'operator' } = given
  const { standingOrderId = null, madeBy = null, hasRoom = false } = given
  const account = await holdQuotaAccount(tx, accountId)
  const [end] = await tx.query<{ past: boolean }>('SELECT coalesce($1::timestamptz <= now(), false) AS past', [
    expiresAt ?? null,
  ])
  if (end?.past) throw new AppError('UNPROCESSABLE', 'expires_at: the expiry is in the past.')
  if (!hasRoom) await requireRoom(tx, account, 'apiKeys', 1)
  const key = await insertKey(tx, accountId, {
    ...{ name, scopes: [...scopes], expiresAt: expiresAt ?? null, parentKeyId, standingOrderId, madeBy },
  })
  await audit(tx, {
    actor,
    action: 'issue api key',
    subject: accountId,
    detail: { keyId: key.apiKeyId, scopes, expiresAt: expiresAt?.toISOString() ?? null, parentKeyId, standingOrderId },
  })
  return key
}

async function insertKey(
  tx: Queryable,
  accountId: string,
  key: {
    name: string
    scopes: KeyScope[]
    expiresAt: Date | null
    parentKeyId: string | null
    standingOrderId: string | null
    madeBy: string | null
  },
): Promise<IssuedApiKey> {
  for (;;) {
    const apiKey = prefix + Array.from({ length: 43 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
    const displayPrefix = displayPrefixOf(apiKey)
    // Once in fifteen million times the account already has a key with this prefix: then another one is drawn.
    const [row] = await tx.query<{ apiKeyId: string }>(
      `INSERT INTO access.api_key (account_id, key_sha256, display_prefix, name, scopes, expires_at, parent_key_id, standing_order_id, made_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING api_key_id AS "apiKeyId"`,
      [
        ...[accountId, sha256(apiKey), displayPrefix, key.name, key.scopes, key.expiresAt, key.parentKeyId],
        ...[key.standingOrderId, key.madeBy],
      ],
    )
    if (row) return { apiKeyId: row.apiKeyId, displayPrefix, apiKey }
  }
}

export interface ApiKeyOwner {
  readonly apiKeyId: string
  readonly accountId: string
  readonly email: string
  readonly username: string
  readonly suspended: boolean
  readonly scopes: readonly KeyScope[]
}

/**
 * The account of a valid key. The lookup is by hash, so its timing reveals nothing about stored keys. Locks the key,
 * then the account, until the transaction ends, against a concurrent revocation or suspension; logins of one key are
 * serialised, because two shared locks that both become an update would deadlock.
 */
export async function findApiKeyOwner(tx: Tx, apiKey: string): Promise<ApiKeyOwner | undefined> {
  const [key] = await tx.query<Omit<ApiKeyOwner, 'email' | 'username' | 'suspended'>>(
    `UPDATE access.api_key SET last_used_at = now()
     WHERE key_sha256 = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     RETURNING api_key_id AS "apiKeyId", account_id AS "accountId", scopes`,
    [sha256(apiKey)],
  )
  if (!key) return undefined
  const [account] = await tx.query<Pick<ApiKeyOwner, 'email' | 'username' | 'suspended'>>(
    `SELECT email, username, suspended_at IS NOT NULL AS suspended FROM access.account
     WHERE account_id = $1 AND erased_at IS NULL FOR SHARE`,
    [key.accountId],
  )
  return account && { ...key, ...account }
}
