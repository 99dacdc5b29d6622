/**
 * The keys of an account, listed, given an end and revoked. A revocation ends the sessions that the key opened, at
 * once; an end that is brought forward ends them then. Both may be told twice: the first time counts.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { isUuid } from '../domain/uuid.ts'
import { quoted } from '../domain/visible.ts'
import { AppError } from '../errors.ts'
import { type Actor, audit } from '../trail/audit.ts'
import { type IssuedApiKey, issueApiKey, type NewApiKey } from './api-keys.ts'
import { requireScopes } from './scopes.ts'

export interface ApiKeyRecord {
  readonly apiKeyId: string
  readonly prefix: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

/** Who acts on a key: an operator, or the account with the scopes of the session's own key. */
export interface KeyActor {
  readonly actor: Actor
  /** Scopes that the acting session holds; an operator holds all. */
  readonly scopes: readonly KeyScope[]
}

const columns = `api_key_id AS "apiKeyId", display_prefix AS prefix, name, scopes, created_at AS "createdAt",
  last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`

/** As answers and commands print it. Times in ISO 8601, UTC. */
export function keyState(key: ApiKeyRecord) {
  return {
    key_id: key.apiKeyId,
    prefix: key.prefix,
    name: key.name,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}

/** The newest first; those that have ended stand among them. */
export async function listApiKeys(db: Queryable, accountId: string): Promise<ApiKeyRecord[]> {
  return db.query<ApiKeyRecord>(
    sql`SELECT ${columns} FROM access.api_key WHERE account_id = $1 ORDER BY created_at DESC, api_key_id`,
    [accountId],
  )
}

/** @param name prefix or id of the key. @throws AppError NOT_FOUND when the account has no such key. */
export async function getApiKey(db: Queryable, accountId: string, name: string): Promise<ApiKeyRecord> {
  const [key] = await db.query<ApiKeyRecord>(
    sql`SELECT ${columns} FROM access.api_key
     WHERE account_id = $1 AND (display_prefix = $2 OR api_key_id = $3) ORDER BY api_key_id = $3 DESC LIMIT 1`,
    [accountId, name, isUuid(name) ? name : null],
  )
  if (!key) throw new AppError('NOT_FOUND', `The account has no key of the prefix or id ${quoted(name)}.`)
  return key
}

/** The key before the account, as a login takes its locks; otherwise the two could wait for each other. */
async function holdApiKey(tx: Queryable, accountId: string, name: string): Promise<ApiKeyRecord> {
  const { apiKeyId } = await getApiKey(tx, accountId, name)
  await tx.query('SELECT FROM access.api_key WHERE api_key_id = $1 FOR UPDATE', [apiKeyId])
  return getApiKey(tx, accountId, apiKeyId)
}

export interface KeyReplacement {
  /** Prefix or id of the key that the new one takes the place of. */
  readonly replaces: string
  /** Hours that both are good. */
  readonly overlapHours: number
}

/**
 * Makes a key; one that replaces another takes its name and scopes unless told, and the other gets an end.
 * @throws AppError SCOPE_MISSING for more scopes than the actor holds, NOT_FOUND, UNPROCESSABLE, QUOTA_EXCEEDED.
 */
export async function createApiKey(
  tx: Queryable,
  accountId: string,
  by: KeyActor,
  { replacement, ...given }: Omit<NewApiKey, 'actor'> & { readonly replacement?: KeyReplacement | undefined },
): Promise<IssuedApiKey & { readonly record: ApiKeyRecord }> {
  const replaced = replacement && (await holdApiKey(tx, accountId, replacement.replaces))
  const scopes = given.scopes ?? replaced?.scopes ?? by.scopes
  requireScopes(replaced ? [...scopes, ...replaced.scopes] : scopes, by.scopes)
  const name = given.name ?? replaced?.name
  const issued = await issueApiKey(tx, accountId, { name, scopes, expiresAt: given.expiresAt, actor: by.actor })
  if (replaced && replacement) await endApiKey(tx, accountId, replaced.apiKeyId, replacement.overlapHours, by.actor)
  return { ...issued, record: await getApiKey(tx, accountId, issued.apiKeyId) }
}

/** An end that the key had before, if it is earlier, stays. */
async function endApiKey(
  tx: Queryable,
  accountId: string,
  apiKeyId: string,
  hours: number,
  actor: Actor,
): Promise<void> {
  const [ended] = await tx.query<{ expiresAt: Date }>(
    `UPDATE access.api_key SET expires_at = least(expires_at, now() + make_interval(hours => $2))
     WHERE api_key_id = $1 RETURNING expires_at AS "expiresAt"`,
    [apiKeyId, hours],
  )
  if (!ended) throw new Error('a key vanished while it was replaced')
  await tx.execute(
    `UPDATE access.session s SET expires_at = least(s.expires_at, k.expires_at) FROM access.api_key k
     WHERE k.api_key_id = $1 AND s.api_key_id = k.api_key_id AND s.revoked_at IS NULL`,
    [apiKeyId],
  )
  const detail = { keyId: apiKeyId, expiresAt: ended.expiresAt.toISOString() }
  await audit(tx, { actor, action: 'end api key', subject: accountId, detail })
}

/**
 * Revokes the key and every session that was opened with it.
 * @param name prefix or id of the key.
 * @throws AppError NOT_FOUND when the account has no such key, SCOPE_MISSING where it may do more than the actor.
 */
export async function revokeApiKey(
  tx: Queryable,
  accountId: string,
  name: string,
  by?: KeyActor,
): Promise<{ readonly record: ApiKeyRecord; readonly sessionsEnded: number }> {
  const key = await getApiKey(tx, accountId, name)
  if (by) requireScopes(key.scopes, by.scopes)
  await tx.execute('UPDATE access.api_key SET revoked_at = now() WHERE api_key_id = $1 AND revoked_at IS NULL', [
    key.apiKeyId,
  ])
  const sessionsEnded = await tx.execute(
    'UPDATE access.session SET revoked_at = now() WHERE api_key_id = $1 AND revoked_at IS NULL',
    [key.apiKeyId],
  )
  if (key.revokedAt === null) {
    const detail = { keyId: key.apiKeyId, sessionsEnded }
    await audit(tx, { actor: by?.actor ?? 'operator', action: 'revoke api key', subject: accountId, detail })
  }
  return { record: await getApiKey(tx, accountId, key.apiKeyId), sessionsEnded }
}
