/**
 * The keys of an account: listed, expired and revoked. Revoking a key also ends the keys that it created and their
 * sessions at once; an earlier expiry ends them then. Repeating either changes nothing.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { sqlFile } from '../db/sql-file.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import { isUuid } from '../domain/uuid.ts'
import { quoted } from '../domain/visible.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'
import { type IssuedApiKey, issueApiKey, type NewApiKey } from './api-keys.ts'
import { boundScopes, requireBindable } from './bound-keys.ts'
import { requireScopes } from './scopes.ts'

const endFamily = sqlFile(import.meta.url, 'end-family.sql')
const revokeFamily = sqlFile(import.meta.url, 'revoke-family.sql')
const notifyOfKey = sqlFile(import.meta.url, 'notify-of-key.sql')

export interface ApiKeyRecord {
  readonly apiKeyId: string
  readonly prefix: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly parentKeyId: string | null
  /** The standing order that it is bound to. */
  readonly standingOrderId: string | null
  /** Prefix of the key that created it. */
  readonly parent: string | null
  /** Name of the person who created it. */
  readonly madeBy: string | null
}

export interface RevokedApiKey {
  readonly record: ApiKeyRecord
  readonly sessionsEnded: number
  /** Prefixes of the keys that it had created, directly or through others. */
  readonly childrenRevoked: readonly string[]
}

/** The actor on a key: an operator, or the account with the scopes of the session's own key. */
export interface KeyActor {
  readonly actor: Actor
  /** Scopes of the acting session; an operator has all. */
  readonly scopes: readonly KeyScope[]
  /** Key of the acting session; unset for operators and people. */
  readonly apiKeyId?: string
  /** The acting person, if signed in. */
  readonly personId?: string
}

const columns = `api_key_id AS "apiKeyId", display_prefix AS prefix, name, scopes, created_at AS "createdAt",
  last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt", parent_key_id AS "parentKeyId",
  standing_order_id AS "standingOrderId",
  (SELECT p.display_prefix FROM access.api_key p WHERE p.api_key_id = access.api_key.parent_key_id) AS parent,
  (SELECT m.name FROM access.person m WHERE m.person_id = access.api_key.made_by) AS "madeBy"`

/** In answers and commands. Times in ISO 8601, UTC. */
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
    parent: key.parent,
    made_by: key.madeBy,
    standing_order_id: key.standingOrderId,
  }
}

/** Newest first, including ended ones. */
export async function listApiKeys(db: Queryable, accountId: string): Promise<ApiKeyRecord[]> {
  return db.query<ApiKeyRecord>(
    sql`SELECT ${columns} FROM access.api_key WHERE account_id = $1 ORDER BY created_at DESC, api_key_id`,
    [accountId],
  )
}

/** @param name prefix or ID of the key. @throws AppError NOT_FOUND if the account has no such key. */
export async function getApiKey(db: Queryable, accountId: string, name: string): Promise<ApiKeyRecord> {
  const [key] = await db.query<ApiKeyRecord>(
    sql`SELECT ${columns} FROM access.api_key
     WHERE account_id = $1 AND (display_prefix = $2 OR api_key_id = $3) ORDER BY api_key_id = $3 DESC LIMIT 1`,
    [accountId, name, isUuid(name) ? name : null],
  )
  if (!key) throw new AppError('NOT_FOUND', `The account has no key with the prefix or ID ${quoted(name)}.`)
  return key
}

/**
 * Locks keys before the account, as a login does; otherwise the two could deadlock. Serialises changes to an account's
 * keys, so that no key is created by one that is ending.
 */
async function holdApiKeys(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('SELECT FROM access.api_key WHERE account_id = $1 ORDER BY api_key_id FOR UPDATE', [accountId])
}

export interface KeyReplacement {
  /** Prefix or ID of the key that the new one replaces. */
  readonly replaces: string
  /** Hours for which both are valid. */
  readonly overlapHours: number
}

/**
 * Creates a key; one that replaces another takes its name and scopes by default and its children, and the other gets an
 * expiry. An e-mail notifies the account. @throws AppError SCOPE_MISSING for more scopes than the actor has, NOT_FOUND,
 * UNPROCESSABLE also where the key of the session was made by the one that it would replace, QUOTA_EXCEEDED.
 */
export async function createApiKey(
  tx: Queryable,
  accountId: string,
  by: KeyActor,
  {
    replacement,
    ...given
  }: Pick<NewApiKey, 'name' | 'scopes' | 'expiresAt' | 'standingOrderId'> & {
    readonly replacement?: KeyReplacement | undefined
  },
): Promise<IssuedApiKey & { readonly record: ApiKeyRecord }> {
  await holdApiKeys(tx, accountId)
  const maker = by.apiKeyId === undefined ? undefined : await livingKey(tx, accountId, by.apiKeyId)
  const replaced = replacement && (await getApiKey(tx, accountId, replacement.replaces))
  // A key that replaces a bound one is bound like it.
  const standingOrderId = given.standingOrderId ?? replaced?.standingOrderId ?? null
  const scopes = given.scopes ?? replaced?.scopes ?? (standingOrderId === null ? scopesGiven(by) : boundScopes)
  if (standingOrderId !== null) await requireBindable(tx, accountId, { standingOrderId, scopes })
  requireScopes(replaced ? [...scopes, ...replaced.scopes] : scopes, by.scopes)
  if (maker && replaced) await refuseOwnMaker(tx, maker, replaced)
  const issued = await issueApiKey(tx, accountId, {
    name: given.name ?? replaced?.name,
    scopes,
    expiresAt: endWithin(given.expiresAt, maker),
    standingOrderId,
    // A key that replaces itself is not made its own child: it would end with it.
    parentKeyId:
      maker === undefined || maker.apiKeyId === replaced?.apiKeyId ? (replaced?.parentKeyId ?? null) : maker.apiKeyId,
    madeBy: by.personId,
    hasRoom: replaced && replacement && (await leaveRoom(tx, accountId, replaced.apiKeyId, replacement.overlapHours)),
    actor: by.actor,
  })
  if (replaced && replacement) {
    await tx.execute('UPDATE access.api_key SET parent_key_id = $2 WHERE parent_key_id = $1 AND api_key_id <> $2', [
      replaced.apiKeyId,
      issued.apiKeyId,
    ])
    await tx.execute(endFamily, [issued.apiKeyId])
    await endApiKey(tx, accountId, replaced.apiKeyId, replacement.overlapHours, by.actor)
  }
  await tx.execute(notifyOfKey, [accountId, issued.apiKeyId, maker?.apiKeyId ?? null, by.personId ?? null])
  return { ...issued, record: await getApiKey(tx, accountId, issued.apiKeyId) }
}

/**
 * @returns whether the key counted towards the quota, which its replacement does from now on. @throws AppError
 * QUOTA_EXCEEDED where it would still work beside too many others that were replaced: a chain of replacements has no end.
 */
async function leaveRoom(tx: Queryable, accountId: string, apiKeyId: string, overlapHours: number): Promise<boolean> {
  const left = await tx.execute(
    `UPDATE access.api_key SET replaced_at = now() WHERE api_key_id = $1 AND replaced_at IS NULL
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [apiKeyId],
  )
  if (left === 0) return false
  if (overlapHours > 0) await requireRoom(tx, await holdQuotaAccount(tx, accountId), 'replacedKeys', 1)
  return true
}

/**
 * The new key would be made by one that it takes over with the children of the replaced one, and end with itself.
 * @throws AppError UNPROCESSABLE
 */
async function refuseOwnMaker(tx: Queryable, maker: ApiKeyRecord, { apiKeyId, prefix }: ApiKeyRecord): Promise<void> {
  const made = await tx.query(
    `WITH RECURSIVE line AS (
       SELECT parent_key_id FROM access.api_key WHERE api_key_id = $1
       UNION SELECT k.parent_key_id FROM access.api_key k JOIN line ON k.api_key_id = line.parent_key_id
     ) SELECT FROM line WHERE parent_key_id = $2`,
    [maker.apiKeyId, apiKeyId],
  )
  if (made.length === 0) return
  throw new AppError(
    'UNPROCESSABLE',
    `replaces: the key of this session was created with ${prefix} and ends with it, so it cannot replace it. Log in with ${prefix} itself, or sign in as an admin.`,
  )
}

/** By default an account gets a key that cannot create further ones. */
const scopesGiven = ({ apiKeyId, personId, scopes }: KeyActor) =>
  apiKeyId === undefined && personId === undefined ? scopes : scopes.filter((scope) => scope !== 'keys')

/** @throws AppError UNAUTHENTICATED where the key was revoked since its session was looked up. */
async function livingKey(tx: Queryable, accountId: string, apiKeyId: string): Promise<ApiKeyRecord> {
  const key = await getApiKey(tx, accountId, apiKeyId)
  if (key.revokedAt === null) return key
  throw new AppError('UNAUTHENTICATED', 'The key of this session was revoked.')
}

/** The expiry of the creating key is the latest possible, and the default. @throws AppError UNPROCESSABLE */
function endWithin(requested: Date | undefined, maker: ApiKeyRecord | undefined): Date | undefined {
  const latest = maker?.expiresAt ?? undefined
  if (latest === undefined || requested === undefined || requested <= latest) return requested ?? latest
  throw new AppError(
    'UNPROCESSABLE',
    `expires_at: the key that opened this session expires at ${shownInstant(latest)}, and keys that it creates cannot expire later.`,
  )
}

/** Keeps an earlier expiry. */
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
  if (!ended) throw new Error('a key disappeared while it was being replaced')
  await tx.execute(endFamily, [apiKeyId])
  const detail = { keyId: apiKeyId, expiresAt: ended.expiresAt.toISOString() }
  await audit(tx, { actor, action: 'end api key', subject: accountId, detail })
}

/**
 * Revokes the key, those that it created, and every session of them. @param name prefix or ID of the key. @throws
 * AppError NOT_FOUND if the account has no such key, SCOPE_MISSING where its rights exceed the actor's.
 */
export async function revokeApiKey(
  tx: Queryable,
  accountId: string,
  name: string,
  by?: KeyActor,
): Promise<RevokedApiKey> {
  await holdApiKeys(tx, accountId)
  const key = await getApiKey(tx, accountId, name)
  if (by) requireScopes(key.scopes, by.scopes)
  const [ended] = await tx.query<Omit<RevokedApiKey, 'record'>>(revokeFamily, [key.apiKeyId])
  if (!ended) throw new Error('a revocation returned no row')
  if (key.revokedAt === null || ended.childrenRevoked.length > 0) {
    const detail = { keyId: key.apiKeyId, ...ended }
    await audit(tx, { actor: by?.actor ?? 'operator', action: 'revoke api key', subject: accountId, detail })
  }
  return { record: await getApiKey(tx, accountId, key.apiKeyId), ...ended }
}
