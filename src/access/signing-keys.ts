/**
 * The keys that sign access tokens: Ed25519, stored with the private half encrypted under the instance's secret.
 *
 * The first key is created at first use; processes that start together agree on one through an advisory lock. The
 * current key is read from the database at each signing, so a rotation applies everywhere at once. A retired key signs
 * no more and verifies until its last token has expired.
 */
import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type JWK } from 'jose'
import { type Actor, audit } from '../audit/audit.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { isUuid } from '../domain/uuid.ts'
import { checkSecretKey, sealingKey, secretKeyWrong } from '../secrets/canary.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { signingKeyColumn } from '../secrets/sealed-columns.ts'

/** The only algorithm; a token with another is rejected before any key is looked up. */
export const signingAlgorithm = 'EdDSA'
/** Key of the advisory lock: the letters "pkey" as a number. */
const keyLock = 0x706b6579

export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

export interface KeyRing {
  /** The current signing key, created if there is none. */
  current(db: Db): Promise<SigningKey>
  /** @returns undefined for a key ID that was never issued. */
  publicKey(db: Queryable, kid: string): Promise<CryptoKey | undefined>
  /** @throws AppError SECRET_KEY_WRONG where the database is sealed under another secret key. */
  check(db: Queryable): Promise<void>
}

export function createKeyRing(secretKey: Secret): KeyRing {
  const privateKeys = new Map<string, CryptoKey>()
  const publicKeys = new Map<string, CryptoKey>()

  return {
    async current(db) {
      const stored = (await newestKey(db)) ?? (await makeFirstKey(db, secretKey))
      const known = privateKeys.get(stored.kid)
      if (known) return { kid: stored.kid, privateKey: known }
      const pem = unseal(stored.privateEncrypted, useOf(stored.kid), secretKey)
      if (pem === undefined) throw secretKeyWrong()
      const privateKey = await importPKCS8(pem, signingAlgorithm)
      privateKeys.set(stored.kid, privateKey)
      return { kid: stored.kid, privateKey }
    },
    async publicKey(db, kid) {
      const known = publicKeys.get(kid)
      if (known || !isUuid(kid)) return known
      const [row] = await db.query<{ jwk: JWK }>('SELECT public_jwk AS jwk FROM access.signing_key WHERE kid = $1', [
        kid,
      ])
      if (!row) return undefined
      const key = (await importJWK(row.jwk, signingAlgorithm)) as CryptoKey
      publicKeys.set(kid, key)
      return key
    },
    check: (db) => checkSecretKey(db, secretKey),
  }
}

/**
 * Retires the signing keys and creates a new one, sealed under `key`; earlier tokens stay valid until they expire. The
 * caller has locked the canary, see `sealingKey`.
 */
export async function rotateSigningKey(tx: Tx, key: Secret, actor: Actor = 'operator'): Promise<{ kid: string }> {
  await tx.execute('SELECT pg_advisory_xact_lock($1)', [keyLock])
  await tx.execute('UPDATE access.signing_key SET retired_at = now() WHERE retired_at IS NULL')
  const { kid } = await insertKey(tx, key)
  await audit(tx, { actor, action: 'rotate signing key', subject: kid })
  return { kid }
}

interface StoredKey {
  readonly kid: string
  readonly privateEncrypted: Buffer
}

async function newestKey(db: Queryable): Promise<StoredKey | undefined> {
  const [key] = await db.query<StoredKey>(
    `SELECT kid, private_encrypted AS "privateEncrypted" FROM access.signing_key
     WHERE retired_at IS NULL ORDER BY created_at DESC, kid LIMIT 1`,
  )
  return key
}

/** The canary before the lock, in the lock order of a rotation. */
function makeFirstKey(db: Db, secretKey: Secret): Promise<StoredKey> {
  return db.transaction(async (tx) => {
    const key = await sealingKey(tx, secretKey)
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [keyLock])
    return (await newestKey(tx)) ?? (await insertKey(tx, key))
  })
}

async function insertKey(tx: Queryable, key: Secret): Promise<StoredKey> {
  const kid = randomUUID()
  const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const privateEncrypted = seal(await exportPKCS8(pair.privateKey), useOf(kid), key)
  // clock_timestamp(): two rotations in one transaction still have an order.
  await tx.execute(
    `INSERT INTO access.signing_key (kid, public_jwk, private_encrypted, created_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [kid, JSON.stringify(await exportJWK(pair.publicKey)), privateEncrypted],
  )
  return { kid, privateEncrypted }
}

/** Binds a row's ciphertext to the row. */
const useOf = (kid: string) => ({ purpose: signingKeyColumn.purpose, boundTo: kid })
