/**
 * API keys: `panji_` and 43 base62 characters (256 bits), shown once, stored as SHA-256 with a display prefix, which
 * names the key within its account. A key has scopes and, where it is told one, an end.
 * A fast hash is right here: the key is random, so there is no dictionary to slow down.
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

/** `panji_` and four characters: enough to recognise, useless to guess. */
export const displayPrefixOf = (apiKey: string): string => apiKey.slice(0, prefix.length + 4)
export const isApiKeyShaped = (text: string): boolean => keyShape.test(text)
/** True for what someone meant as an API key, also when it is cut or mistyped. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(prefix)
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

export interface NewApiKey {
  /** For people: where the key is used. */
  readonly name?: string | undefined
  /** All scopes when unset. */
  readonly scopes?: readonly KeyScope[] | undefined
  /** Until it is revoked when unset. */
  readonly expiresAt?: Date | undefined
  /** The key that made it, whose end is its own; none where an operator did. */
  readonly parentKeyId?: string | null | undefined
  /** It spends within the budget of this standing order alone. */
  readonly standingOrderId?: string | null | undefined
  /** The person who makes it. */
  readonly madeBy?: string | undefined
  readonly actor?: Actor
}

export interface IssuedApiKey {
  readonly apiKeyId: string
  readonly displayPrefix: string
  readonly apiKey: string
}

/**
 * The caller has seen to it that the account exists.
 * @returns the key itself, which cannot be read again.
 * @throws AppError UNPROCESSABLE for an end that has passed, QUOTA_EXCEEDED where the account has as many keys as it may.
 */
export async function issueApiKey(tx: Queryable, accountId: string, given: NewApiKey = {}): Promise<IssuedApiKey> {
  const { name = 'default', scopes = keyScopes, expiresAt, parentKeyId = null, actor = 'operator' } = given
  const { standingOrderId = null, madeBy = null } = given
  const account = await holdQuotaAccount(tx, accountId)
  const [end] = await tx.query<{ past: boolean }>('SELECT coalesce($1::timestamptz <= now(), false) AS past', [
    expiresAt ?? null,
  ])
  if (end?.past) throw new AppError('UNPROCESSABLE', 'expires_at: the end of the key has passed already.')
  await requireRoom(tx, account, 'apiKeys', 1)
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
    // One in fifteen million times the account has a key that begins alike: then another one is drawn.
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
 * The account behind a key that is good now. The lookup is by hash, so its timing tells nothing about stored keys.
 * Locks the key, then the account, against a revocation or suspension at the same moment, until the transaction ends;
 * one login of a key follows the other, because two shared locks that both become an update would wait for each other.
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
