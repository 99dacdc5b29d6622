/**
 * API keys: `panji_` and 43 base62 characters (256 bits), shown once, stored as SHA-256 with a display prefix.
 * A fast hash is right here: the key is random, so there is no dictionary to slow down.
 */
import { createHash, randomInt } from 'node:crypto'
import type { Queryable } from '../db/db.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../quotas/quota-account.ts'
import { requireRoom } from '../quotas/stored-quota.ts'
import { audit } from './audit.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'panji_'
const keyShape = /^panji_[0-9A-Za-z]{43}$/

/** `panji_` and four characters: enough to recognise, useless to guess. */
export const displayPrefixOf = (apiKey: string): string => apiKey.slice(0, prefix.length + 4)
export const isApiKeyShaped = (text: string): boolean => keyShape.test(text)
/** True for what someone meant as an API key, also when it is cut or mistyped. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(prefix)
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @returns the key itself, which cannot be read again. @throws AppError NOT_FOUND, QUOTA_EXCEEDED */
export async function issueApiKey(tx: Queryable, accountId: string): Promise<{ apiKey: string; apiKeyId: string }> {
  await requireRoom(tx, await holdQuotaAccount(tx, accountId), 'apiKeys', 1)
  const apiKey = prefix + Array.from({ length: 43 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  const [row] = await tx.query<{ apiKeyId: string }>(
    `INSERT INTO access.api_key (account_id, key_sha256, display_prefix) VALUES ($1, $2, $3)
     RETURNING api_key_id AS "apiKeyId"`,
    [accountId, sha256(apiKey), displayPrefixOf(apiKey)],
  )
  if (!row) throw new Error('the insert of an API key returned no row')
  await audit(tx, { actor: 'operator', action: 'issue api key', subject: accountId, detail: { keyId: row.apiKeyId } })
  return { apiKey, apiKeyId: row.apiKeyId }
}

/**
 * Revokes the key and every session that was opened with it.
 * @throws AppError NOT_FOUND when the account has no such key.
 */
export async function revokeApiKey(tx: Queryable, accountId: string, apiKeyId: string): Promise<void> {
  const found =
    isUuid(apiKeyId) &&
    (await tx.execute(
      `UPDATE access.api_key SET revoked_at = coalesce(revoked_at, now()) WHERE account_id = $1 AND api_key_id = $2`,
      [accountId, apiKeyId],
    )) > 0
  if (!found) throw new AppError('NOT_FOUND', 'No such API key.')
  await tx.execute('UPDATE access.session SET revoked_at = now() WHERE api_key_id = $1 AND revoked_at IS NULL', [
    apiKeyId,
  ])
  await audit(tx, { actor: 'operator', action: 'revoke api key', subject: accountId, detail: { keyId: apiKeyId } })
}

export interface ApiKeyOwner {
  readonly apiKeyId: string
  readonly accountId: string
  readonly username: string
  readonly suspended: boolean
}

/**
 * The account behind a key that is not revoked. The lookup is by hash, so its timing tells nothing about stored keys.
 * Locks the account's row against a suspension at the same moment, until the caller's transaction ends.
 */
export async function findApiKeyOwner(tx: Queryable, apiKey: string): Promise<ApiKeyOwner | undefined> {
  const [owner] = await tx.query<ApiKeyOwner>(
    `SELECT k.api_key_id AS "apiKeyId", a.account_id AS "accountId", a.username,
            a.suspended_at IS NOT NULL AS suspended
     FROM access.api_key k JOIN access.account a USING (account_id)
     WHERE k.key_sha256 = $1 AND k.revoked_at IS NULL AND a.erased_at IS NULL
     FOR SHARE OF a, k`,
    [sha256(apiKey)],
  )
  return owner
}
